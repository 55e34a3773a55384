CREATE TABLE "devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"serial" text NOT NULL,
	"name" text NOT NULL,
	"model" text NOT NULL,
	"kind" text NOT NULL,
	"address" text NOT NULL,
	"host_id" text NOT NULL,
	"state" text NOT NULL,
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"instance_id" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host_id" text NOT NULL,
	"pid" integer NOT NULL,
	"machine_id" text NOT NULL,
	"graphile_ids" text[] NOT NULL,
	"started_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "artefacts" (
	"sha256" text PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "episodes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"task_id" text NOT NULL,
	"seed" integer NOT NULL,
	"title" text NOT NULL,
	"request" text NOT NULL,
	"planner" text NOT NULL,
	"device_id" uuid,
	"started_by" uuid NOT NULL,
	"next_seq" integer DEFAULT 0 NOT NULL,
	"step_count" integer DEFAULT 0 NOT NULL,
	"cost_micro_usd" bigint DEFAULT 0 NOT NULL,
	"worker_id" text,
	"claim" text,
	"verdict" jsonb,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "events" (
	"episode_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" bigint NOT NULL,
	"actor" text NOT NULL,
	"type" text NOT NULL,
	"body" jsonb NOT NULL,
	CONSTRAINT "events_episode_id_seq_pk" PRIMARY KEY("episode_id","seq")
);
--> statement-breakpoint
CREATE TABLE "steps" (
	"episode_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"first_seq" integer NOT NULL,
	"tool" text,
	"ok" integer,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	CONSTRAINT "steps_episode_id_number_pk" PRIMARY KEY("episode_id","number")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_started_by_people_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steps" ADD CONSTRAINT "steps_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "devices_serial" ON "devices" USING btree ("serial");--> statement-breakpoint
CREATE UNIQUE INDEX "people_name" ON "people" USING btree ("name");--> statement-breakpoint
CREATE INDEX "sessions_person_id" ON "sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "episodes_created_at" ON "episodes" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_device_busy" ON "episodes" USING btree ("device_id") WHERE finished_at is null;
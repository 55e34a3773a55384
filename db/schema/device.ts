import { bigint, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/** Anything reached through adb. Identity is the serial number the device itself reports (`ro.serialno`). */
export const devices = pgTable(
  'devices',
  {
    id: uuid('id').primaryKey(),
    serial: text('serial').notNull(),
    name: text('name').notNull(),
    model: text('model').notNull(),
    /** `simulated` for the virtual phone, `android` for everything else. */
    kind: text('kind').$type<'simulated' | 'android'>().notNull(),
    /** TCP address of its adb daemon, `host:port`. */
    address: text('address').notNull(),
    /** The machine it hangs on: device episodes run on the queue `host:<id>`. */
    hostId: text('host_id').notNull(),
    state: text('state').$type<'online' | 'offline'>().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
  },
  (table) => [uniqueIndex('devices_serial').on(table.serial)],
)

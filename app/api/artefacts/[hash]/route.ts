import { artefactResponse } from '@/server/trpc/handler'

export { artefactResponse as GET, artefactResponse as HEAD }

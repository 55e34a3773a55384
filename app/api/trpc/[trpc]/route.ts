import { handleTrpc } from '@/server/trpc/handler'

export { handleTrpc as GET, handleTrpc as POST }

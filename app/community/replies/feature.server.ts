import type { Feature } from '#app/api/feature.server.ts'
import { replyContract } from './reply.contract.ts'
import { replyHandlers } from './reply-api.server.ts'

export const replies: Feature = {
  routes({ bind }) {
    bind(replyContract, replyHandlers)
  },
}

/** How a post is reported. */
import type { Client } from '../../api/client.ts'
import { proveWork } from '../../writing/proof.data.ts'
import type { DiscussionContract } from '../discussions/discussion.contract.ts'
import type { ModerationContract } from './moderation.contract.ts'
import type { Post } from './moderation.data.ts'
import type { Reason } from './moderation.ts'

/** A visitor's browser calculates first, as for posting. @throws ApiError */
export async function reportPost(
  api: Client<ModerationContract & DiscussionContract>,
  post: Post,
  { reason, note }: { reason: Reason; note: string },
) {
  const proof = await proveWork(api as unknown as Client<DiscussionContract>)
  await api('POST /api/v1/reports', { body: { ...post, reason, note, proof } })
}

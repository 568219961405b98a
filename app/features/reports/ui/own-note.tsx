/** What became of the note of one's own rating, where the rating stands. Load it lazily. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import type { ReportContract } from '../report.contract.ts'
import { myModerationQuery } from '../report.data.ts'
import { reasonName } from '../report.ts'
import { Appeal, ModeratorsNote } from './own-moderation.tsx'

export function OwnNote({ id }: { id: string }) {
  const { data } = useQuery(myModerationQuery(useApi<ReportContract>()))
  const post = data?.posts.find((each) => each.kind === 'note' && each.id === id)
  if (!post) return null
  return (
    <div className="text-sm leading-6 text-ink-soft">
      <p>
        <strong className="font-semibold text-ink">
          {post.state === 'held'
            ? 'Your note is held until a moderator has looked at it.'
            : `Your note was removed by a moderator: ${reasonName(post.reason)}.`}
        </strong>{' '}
        Your stars go on counting.
      </p>
      <ModeratorsNote note={post.note} />
      <Appeal post={post} />
    </div>
  )
}

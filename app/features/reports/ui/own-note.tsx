/** What became of the note of one's own rating, where the rating stands. Load it lazily. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import type { ReportContract } from '../report.contract.ts'
import { ownNoteQuery } from '../report.data.ts'
import { reasonName } from '../report.ts'
import { Appeal, ModeratorsNote } from './own-moderation.tsx'

/** @param props.keys of the rating's holder, where it names nobody */
export function OwnNote({ id, keys }: { id: string; keys?: string[] }) {
  const { data: post } = useQuery(ownNoteQuery(useApi<ReportContract>(), id, keys))
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
      <Appeal post={post} keys={keys} />
    </div>
  )
}

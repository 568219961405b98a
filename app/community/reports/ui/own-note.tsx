/** What became of the note of one's own rating, where the rating stands. Load it lazily. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { HeldNote } from '../held-note.contract.ts'
import type { ReportContract } from '../report.contract.ts'
import { ownNoteQuery } from '../report.data.ts'
import { reasonName } from '../report.ts'
import { Appeal, type AppealProps, ModeratorsNote } from './own-moderation.tsx'

/** Of a rating that was given under the account. */
export function OwnNote({ id }: { id: string }) {
  const { data: post } = useQuery(ownNoteQuery(useApi<ReportContract>(), id))
  return post ? <OwnNoteState post={post} /> : null
}

/** Of one that names nobody: what this browser was told last. */
export function OwnNoteState({ post, holder }: { post: HeldNote } & Pick<AppealProps, 'holder'>) {
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
      <Appeal post={post} holder={holder} />
    </div>
  )
}

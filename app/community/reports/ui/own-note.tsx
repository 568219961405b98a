/** What happened to the note of my rating. Load it lazily. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { HeldNote } from '../held-note.contract.ts'
import type { ReportContract } from '../report.contract.ts'
import { ownNoteQuery } from '../report.data.ts'
import { reasonName } from '../report.ts'
import { Appeal, type AppealProps, ModeratorsNote } from './own-moderation.tsx'

export function OwnNote({ id }: { id: string }) {
  const { data: post } = useQuery(ownNoteQuery(useApi<ReportContract>(), id))
  return post ? <OwnNoteState post={post} /> : null
}

/** Of an anonymous one: what this browser heard last. */
export function OwnNoteState({ post, holder }: { post: HeldNote } & Pick<AppealProps, 'holder'>) {
  return (
    <div className="text-sm leading-6 text-ink-soft">
      <p>
        <strong className="font-semibold text-ink">
          {post.state === 'held'
            ? 'Your note is hidden until a moderator reviews it.'
            : `Your note was removed by a moderator: ${reasonName(post.reason)}.`}
        </strong>{' '}
        Your stars still count.
      </p>
      <ModeratorsNote note={post.note} />
      <Appeal post={post} holder={holder} />
    </div>
  )
}

/** Where someone replies as a company, or edits its reply. Load it lazily. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { LoadError } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { DraftKey } from '#app/kit/writing/draft.data.ts'
import { DraftForm, type DraftFormProps } from '#app/kit/writing/draft-form.tsx'
import type { FormDraft } from '#app/kit/writing/draft-notice.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import type { CompanyReplyContract } from '../reply.contract.ts'
import { type Answered, changeCompanyReply, replySourceQuery, sendReply } from '../reply.data.ts'
import { REPLY_MAX, REPLY_MIN, replyProblem } from '../reply.ts'

/** Edits the reply with `replyId`, or writes the company's only reply. */
export function ReplyComposer({ replyId, ...props }: ReplyComposerProps) {
  return replyId ? <LoadedReply replyId={replyId} {...props} /> : <NewReply {...props} />
}

function NewReply({ answered, onDone, onCancel }: ComposerProps) {
  const api = useApi<CompanyReplyContract>()
  const draft = useNewDraft({
    draftKey: draftKeyOf(answered),
    empty: () => ({ title: titleOf(answered), body: '' }),
    isBlank: ({ body }) => body.trim() === '',
  })
  const { body } = draft.text
  return (
    <ReplyForm
      answered={answered}
      draft={{ ...draft, text: { body } }}
      submitLabel="Publish reply"
      busyLabel="Publishing..."
      onCancel={onCancel}
      send={async () => {
        await sendReply(api, answered, body)
        draft.sent(answered.path)
        await onDone()
      }}
    />
  )
}

function LoadedReply({ replyId, ...props }: ComposerProps & { replyId: string }) {
  const api = useApi<CompanyReplyContract>()
  const source = useQuery({ ...replySourceQuery(api, replyId), gcTime: 0, staleTime: 0 })
  if (source.isError)
    return (
      <LoadError
        title="The reply didn’t load"
        text={errorSentence(source.error)}
        onRetry={source.refetch}
      />
    )
  if (!source.data)
    return (
      <Loading label="Opening the reply...">
        <Skeleton className="h-48 w-full" />
      </Loading>
    )
  return <ChangedReply replyId={replyId} source={source.data} refetch={source.refetch} {...props} />
}

function ChangedReply(props: ChangedReplyProps) {
  const { replyId, source, refetch, answered, onDone, onCancel } = props
  const api = useApi<CompanyReplyContract>()
  const draftKey = draftKeyOf(answered)
  const edit = useEditDraft({
    draftKey: { ...draftKey, key: `${draftKey.key}/change` },
    source: { body: source.text, version: source.version },
    refetch,
    title: titleOf(answered),
    isSame: (one, other) => one.body === other.body,
  })
  return (
    <ReplyForm
      answered={answered}
      draft={edit}
      submitLabel="Save reply"
      busyLabel="Saving..."
      onCancel={onCancel}
      send={async () => {
        const { version } = edit.theirs
        await edit.send(() => changeCompanyReply(api, replyId, { text: edit.text.body, version }))
        edit.saved(answered.path)
        await onDone()
      }}
    >
      <p className="text-sm text-ink-faint">
        Earlier versions stay visible in the reply’s history.
      </p>
    </ReplyForm>
  )
}

function ReplyForm({ answered: { company }, draft, ...form }: ReplyFormProps) {
  return (
    <DraftForm
      draft={draft}
      label={`Reply as ${company.name}`}
      hint={`Everyone reads this as coming from ${company.name}, without your name. Please don’t guess who wrote what you’re replying to. ${REPLY_MIN} to ${grouped(REPLY_MAX)} characters.`}
      max={REPLY_MAX}
      autoFocus
      leakGuard="off"
      problems={{ body: replyProblem(draft.text.body) }}
      {...form}
    />
  )
}

const titleOf = ({ company }: Answered) => `A reply as ${company.name}`

const draftKeyOf = ({ kind, id, path }: Answered): DraftKey => ({
  kind: 'company-reply',
  key: `${kind}/${id}`,
  path,
})

interface ComposerProps {
  answered: Answered
  /** Called once the reply is saved. The form stays busy until this ends. */
  onDone: () => Promise<void>
  onCancel: () => void
}
type ReplyComposerProps = ComposerProps & { replyId: string | undefined }
type ChangedReplyProps = ComposerProps & {
  replyId: string
  source: { text: string; version: number }
  refetch: () => unknown
}

type ReplyFormProps = Pick<DraftFormProps, 'send' | 'submitLabel' | 'busyLabel' | 'children'> & {
  answered: Answered
  draft: FormDraft<{ body: string }>
  onCancel: () => void
}

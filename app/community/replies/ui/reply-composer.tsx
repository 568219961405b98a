/** Where somebody replies as a company, or changes what it replied. Loaded when it is wanted. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useForm } from '#app/kit/forms/use-form.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { grouped } from '#app/kit/ui/number.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { type DraftKey, useDraft } from '#app/kit/writing/draft.data.ts'
import { DraftRestored } from '#app/kit/writing/draft-restored.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { EditRestored } from '#app/kit/writing/edit-restored.tsx'
import { MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import type { ReplyContract } from '../reply.contract.ts'
import { type Answered, changeReply, replySourceQuery, sendReply } from '../reply.data.ts'
import { REPLY_MAX, REPLY_MIN, replyProblem } from '../reply.ts'

/** With `replyId` it changes that reply; without, it writes the one that there may be. */
export function ReplyComposer({ replyId, ...props }: ReplyComposerProps) {
  return replyId ? <LoadedReply replyId={replyId} {...props} /> : <NewReply {...props} />
}

function NewReply({ answered, onDone, onCancel }: ComposerProps) {
  const api = useApi<ReplyContract>()
  const [text, setText] = useState('')
  const draft = useDraft({
    place: draftKeyOf(answered),
    content: keptOf(answered, text),
    isBlank: text.trim() === '',
    onRestore: ({ body }, isNewer) => setText((now) => (isNewer || now.trim() === '' ? body : now)),
    onSentElsewhere: (isKept) => {
      if (!isKept) setText('')
      return keptOf(answered, isKept ? text : '')
    },
  })
  const startOver = (path?: string) => {
    if (path) draft.sent(keptOf(answered, ''), path)
    else draft.clear(keptOf(answered, ''))
    setText('')
  }
  return (
    <Fields
      answered={answered}
      text={text}
      onText={setText}
      submitLabel="Publish reply"
      busyLabel="Publishing..."
      onCancel={onCancel}
      send={async () => {
        await sendReply(api, answered, text)
        startOver(answered.path)
        await onDone()
      }}
    >
      <DraftRestored draft={draft} isBlank={text.trim() === ''} onDiscard={() => startOver()} />
    </Fields>
  )
}

function LoadedReply({ replyId, ...props }: ComposerProps & { replyId: string }) {
  const api = useApi<ReplyContract>()
  const source = useQuery({ ...replySourceQuery(api, replyId), gcTime: 0, staleTime: 0 })
  if (source.isError)
    return (
      <LoadError
        title="The reply did not load"
        text={refusalOf(source.error)}
        onRetry={source.refetch}
      />
    )
  if (!source.data)
    return (
      <div role="status" aria-label="Opening the reply...">
        <Skeleton className="h-48 w-full" />
      </div>
    )
  return <ChangedReply replyId={replyId} source={source.data} refetch={source.refetch} {...props} />
}

function ChangedReply(props: ChangedReplyProps) {
  const { replyId, source, refetch, answered, onDone, onCancel } = props
  const api = useApi<ReplyContract>()
  const place = draftKeyOf(answered)
  const edit = useEditDraft({
    place: { ...place, key: `${place.key}/change` },
    source: { body: source.text, version: source.version },
    refetch,
    title: titleOf(answered),
    isSame: (one, other) => one.body === other.body,
  })
  const { body: text } = edit.text
  return (
    <Fields
      answered={answered}
      text={text}
      onText={(body) => edit.change({ body })}
      submitLabel="Save reply"
      busyLabel="Saving..."
      onCancel={onCancel}
      whyNot={edit.whyNot}
      send={async () => {
        const { version } = edit.theirs
        await edit.send(() => changeReply(api, replyId, { text, version }))
        edit.saved(answered.path)
        await onDone()
      }}
    >
      <EditRestored edit={edit} wordsOf={({ body }) => body} />
      <p className="text-sm text-ink-faint">What it said before stays in its history, for all.</p>
    </Fields>
  )
}

function Fields(props: FieldsProps) {
  const { answered, text, onText, whyNot, send, submitLabel, busyLabel, onCancel, children } = props
  const { form, errors, isBusy } = useForm<'text'>({
    keptIn: 'browser',
    check: () => ({ text: replyProblem(text), form: whyNot?.() }),
    send,
  })
  return (
    <form {...form} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <MarkdownEditor
        label={`Reply as ${answered.company.name}`}
        hint={`Everybody reads it as the words of ${answered.company.name}, without your name. Please do not guess who wrote what you answer. ${REPLY_MIN} to ${grouped(REPLY_MAX)} characters.`}
        isCompact
        max={REPLY_MAX}
        value={text}
        onChange={onText}
        autoFocus
        error={errors.text && replyProblem(text)}
      />
      {children}
      <FormError>{errors.form}</FormError>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy} busyLabel={busyLabel}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** Title and body are what the list of drafts shows of it. */
const keptOf = (answered: Answered, body: string) => ({ title: titleOf(answered), body })
const titleOf = ({ company }: Answered) => `A reply as ${company.name}`

/** Kept as every draft is, beside those of threads. */
const draftKeyOf = ({ kind, id, path }: Answered): DraftKey => ({
  kind: 'company-reply',
  key: `${kind}/${id}`,
  path,
})

interface ComposerProps {
  answered: Answered
  /** Once it is kept; what it does is waited for. */
  onDone: () => Promise<void>
  onCancel: () => void
}
type ReplyComposerProps = ComposerProps & { replyId: string | undefined }
type ChangedReplyProps = ComposerProps & {
  replyId: string
  source: { text: string; version: number }
  refetch: () => unknown
}

interface FieldsProps {
  answered: Answered
  text: string
  onText: (text: string) => void
  submitLabel: string
  busyLabel: string
  onCancel: () => void
  /** Why it can't be sent yet. */
  whyNot?: () => string | undefined
  /** Rejects with what the server refused. */
  send: () => Promise<void>
  children?: ReactNode
}

/** Load it with `lazyDialog`. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { TextArea, TextField } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { lengthOf } from '#app/kit/writing/text.ts'
import type { ContactContract, SavedAnswer } from '../contact.contract.ts'
import { deleteSavedAnswer, savedAnswersQuery, saveSavedAnswer } from '../contact.data.ts'
import { MESSAGE_MAX } from '../contact.ts'
import { SAVED_TITLE_MAX, savedBodyProblem, savedTitleProblem } from '../saved-answer.ts'

export function SavedAnswersDialog({ open, onOpenChange }: OpenProps) {
  const query = useQuery(savedAnswersQuery(useApi<ContactContract>()))
  // `null` while none is being edited.
  const [written, setWritten] = useState<Partial<SavedAnswer> | null>(null)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} width="md" title="Saved answers">
      {written ? (
        <Editor key={written.id} answer={written} onClose={() => setWritten(null)} />
      ) : (
        <div className="grid gap-4">
          <Button className="justify-self-start" onClick={() => setWritten({})}>
            New saved answer
          </Button>
          {query.isError && !query.data ? (
            <LoadError
              title="Couldn’t load the saved answers"
              text={errorSentence(query.error)}
              onRetry={query.refetch}
            />
          ) : (
            <Saved answers={query.data?.answers} onEdit={setWritten} />
          )}
        </div>
      )}
    </Dialog>
  )
}

function Saved({ answers, onEdit }: SavedProps) {
  const queries = { api: useApi<ContactContract>(), queryClient: useQueryClient() }
  const remove = async ({ id, title, body }: SavedAnswer) => {
    try {
      await deleteSavedAnswer(queries, id)
      const undo = () =>
        saveSavedAnswer(queries, { title, body }).catch((error) => sayRefused(error))
      toast({ title: `“${title}” deleted`, action: { label: 'Undo', onPress: undo } })
    } catch (error) {
      sayRefused(error)
    }
  }
  if (!answers) return <Skeleton className="h-40 w-full" />
  if (answers.length === 0)
    return <EmptyState title="No saved answers yet" text="Save the answers you use often here." />
  return (
    <ul className="divide-y divide-line border-y border-line">
      {answers.map((answer) => (
        <li
          key={answer.id}
          className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3"
        >
          <div className="min-w-0 flex-1 basis-48">
            <p className="leading-6 font-medium [overflow-wrap:anywhere] text-ink">
              {answer.title}
            </p>
            <p className="line-clamp-2 text-sm leading-6 [overflow-wrap:anywhere] text-ink-soft">
              {answer.body}
            </p>
          </div>
          <div className="flex gap-2">
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Edit ${answer.title}`}
              onClick={() => onEdit(answer)}
            >
              Edit
            </Button>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`Delete ${answer.title}`}
              onClick={() => remove(answer)}
            >
              Delete
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

interface SavedProps {
  answers: SavedAnswer[] | undefined
  onEdit: (answer: SavedAnswer) => void
}

const sayRefused = reportError('Couldn’t save the change')

function Editor({ answer, onClose }: { answer: Partial<SavedAnswer>; onClose: () => void }) {
  const queries = { api: useApi<ContactContract>(), queryClient: useQueryClient() }
  const [title, setTitle] = useState(answer.title ?? '')
  const [body, setBody] = useState(answer.body ?? '')
  const first = useRef<HTMLInputElement>(null)
  const { form, errors, isBusy } = useForm<'title' | 'body'>({
    check: () => ({ title: savedTitleProblem(title), body: savedBodyProblem(body) }),
    send: async () => {
      await saveSavedAnswer(queries, { id: answer.id, title, body })
      toast({ title: 'Answer saved' })
      onClose()
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <TextField
        ref={first}
        label="Title"
        name="title"
        required
        maxLength={SAVED_TITLE_MAX}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        error={savedTitleProblem(title) && errors.title}
      />
      <TextArea
        label="Text"
        name="body"
        required
        hint="{name} becomes the sender’s name, {site} the name of this site."
        value={body}
        onChange={(event) => setBody(event.target.value)}
        limit={{ length: lengthOf(body.trim()), max: MESSAGE_MAX }}
        error={savedBodyProblem(body) && errors.body}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <CancelButton onCancel={onClose}>Back</CancelButton>
        <Button type="submit" busy={isBusy} busyLabel="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Select, TextArea } from '#app/kit/ui/field.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { useTabText } from '#app/kit/writing/tab-text.ts'
import { lengthOf } from '#app/kit/writing/text.ts'
import type { ContactContract, ContactMessage } from '../contact.contract.ts'
import { savedAnswersQuery, sendReply, useIdempotencyKey } from '../contact.data.ts'
import { MESSAGE_MAX, replyLink } from '../contact.ts'
import { answerProblem, filledIn } from '../saved-answer.ts'

const SavedAnswersDialog = lazyDialog(() =>
  import('./saved-answers-dialog.tsx').then((it) => it.SavedAnswersDialog),
)

export function AnswerForm({ message }: { message: ContactMessage }) {
  const queries = { api: useApi<ContactContract>(), queryClient: useQueryClient() }
  const { siteName } = useSite()
  const [text, setText] = useTabText(`kettle-contact:answer:${message.id}`)
  const idempotencyKeyOf = useIdempotencyKey()
  const { form, errors, isBusy } = useForm<'text'>({
    storedIn: 'tab',
    check: () => ({ text: answerProblem(text) }),
    send: async () => {
      await sendReply(queries, message, { text, idempotencyKey: idempotencyKeyOf([text]) })
      setText('')
      toast({ title: 'Answer sent' })
    },
  })
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <SavedAnswers
        onInsert={(body) => {
          const filled = filledIn(body, { name: message.name, site: siteName })
          setText(text.trim() === '' ? filled : `${text.trimEnd()}\n\n${filled}`)
        }}
      />
      <form {...form} className="grid gap-3">
        <FormError>{errors.form}</FormError>
        <TextArea
          label="Answer"
          hint={`${siteName} emails it, without your name or address.`}
          name="answer"
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
          limit={{ length: lengthOf(text.trim()), max: MESSAGE_MAX }}
          error={answerProblem(text) && errors.text}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
          <a href={replyLink(message.email, siteName)} className={`${linkClasses} text-sm`}>
            Use your own email instead
          </a>
          <Button type="submit" busy={isBusy} busyLabel="Sending...">
            Send answer
          </Button>
        </div>
      </form>
    </div>
  )
}

/** Outside of the answer's form, so submitting the dialog doesn't submit the answer. */
function SavedAnswers({ onInsert }: { onInsert: (body: string) => void }) {
  const { data } = useQuery(savedAnswersQuery(useApi<ContactContract>()))
  const [isOpen, setOpen] = useState(false)
  const answers = data?.answers ?? []
  return (
    <div className="flex flex-wrap items-end gap-2">
      {answers.length > 0 && (
        <div className="min-w-0 flex-1 basis-40 sm:max-w-60">
          <Select
            label="Insert a saved answer"
            value=""
            onChange={(event) => {
              const chosen = answers.find(({ id }) => id === event.target.value)
              if (chosen) onInsert(chosen.body)
            }}
          >
            <option value="">Choose one…</option>
            {answers.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </div>
      )}
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        {...SavedAnswersDialog.preload}
        onClick={() => setOpen(true)}
      >
        Saved answers
      </Button>
      <SavedAnswersDialog open={isOpen} onOpenChange={setOpen} />
    </div>
  )
}

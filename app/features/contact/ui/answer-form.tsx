/** An answer that the site mails, and that stays with its message. */
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import { FormError } from '../../../forms/form-error.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { useSite } from '../../../session/site.data.ts'
import { Button } from '../../../ui/button.tsx'
import { linkLook } from '../../../ui/link-look.ts'
import { TextArea } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import type { ContactContract, ContactMessage } from '../contact.contract.ts'
import { sendReply } from '../contact.data.ts'
import { MESSAGE_MAX, messageProblem, replyLink } from '../contact.ts'
import { useKeptText } from '../kept-text.data.ts'
import { useIdempotencyKey } from './use-idempotency-key.ts'

export function AnswerForm({ message }: { message: ContactMessage }) {
  const queries = { api: useApi<ContactContract>(), queryClient: useQueryClient() }
  const { siteName } = useSite()
  const [text, setText] = useKeptText(`answer:${message.id}`)
  const idempotencyKeyOf = useIdempotencyKey()
  const { form, errors, isBusy } = useForm<'text'>({
    check: () => ({ text: messageProblem(text, 'answer') }),
    send: async () => {
      await sendReply(queries, message, { text, sending: idempotencyKeyOf([text]) })
      setText('')
      toast({ title: 'Answer sent' })
    },
  })
  return (
    <form {...form} className="grid gap-3 border-t border-line pt-5">
      <FormError>{errors.form}</FormError>
      <TextArea
        label="Answer"
        hint={`${siteName} mails it, without your name and address.`}
        name="answer"
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        limit={{ length: text.trim().length, max: MESSAGE_MAX }}
        error={messageProblem(text, 'answer') && errors.text}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <a href={replyLink(message.email, siteName)} className={`${linkLook} text-sm`}>
          Write from your own mail instead
        </a>
        <Button type="submit" busy={isBusy} busyLabel="Sending...">
          Send answer
        </Button>
      </div>
    </form>
  )
}

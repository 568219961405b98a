/** Spec §2.9. Load it with `lazyDialog`. */
import { useId, useRef } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { mailboxProblem } from '#app/identity/accounts/sign-in/email-and-password.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { Options, Select, TextArea, TextField } from '#app/kit/ui/field.tsx'
import { plural } from '#app/kit/ui/format.ts'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { useTabText } from '#app/kit/writing/tab-text.ts'
import { lengthOf } from '#app/kit/writing/text.ts'
import type { ContactContract } from '../contact.contract.ts'
import { sendContactForm, useIdempotencyKey } from '../contact.data.ts'
import {
  CONTACT_NAME_MAX,
  CONTACT_SUBJECTS,
  MESSAGE_MAX,
  messageProblem,
  NOT_SENT,
  nameProblem,
  SENT,
  SUBJECT_NAMES,
} from '../contact.ts'

export function ContactDialog({ open, onOpenChange }: OpenProps) {
  const api: Client<ContactContract> = useApi()
  const { siteName, legalNoticeHours } = useSite()
  const formId = useId()
  const [name, setName] = useTabText('kettle-contact:name')
  const [email, setEmail] = useTabText('kettle-contact:email')
  const [message, setMessage] = useTabText('kettle-contact:message')
  const [chosen, setSubject] = useTabText('kettle-contact:subject')
  const subject = CONTACT_SUBJECTS.find((each) => each === chosen) ?? 'general'
  const idempotencyKeyOf = useIdempotencyKey()
  const nameField = useRef<HTMLInputElement>(null)
  const { form, errors, isBusy } = useForm<'name' | 'email' | 'message'>({
    storedIn: 'tab',
    check: () => ({
      name: nameProblem(name),
      email: mailboxProblem(email),
      message: messageProblem(message),
    }),
    send: async () => {
      try {
        const idempotencyKey = idempotencyKeyOf([name, email, message, subject])
        await sendContactForm(api, { name, email, message, subject, idempotencyKey })
      } catch (error) {
        toast(NOT_SENT)
        throw error
      }
      for (const clear of [setName, setEmail, setMessage, setSubject]) clear('')
      onOpenChange(false)
      toast(SENT)
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Contact Us"
      description={`Only the people who run ${siteName} read this. It isn’t linked to your account, if you have one.`}
      initialFocus={nameField}
      footer={
        <>
          <CancelButton onCancel={() => onOpenChange(false)} />
          <Button type="submit" form={formId} busy={isBusy} busyLabel="Sending...">
            Submit
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
        <TextField
          ref={nameField}
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={CONTACT_NAME_MAX}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={nameProblem(name) && errors.name}
        />
        <EmailField
          hint="Only for our reply."
          value={email}
          onValue={setEmail}
          error={mailboxProblem(email) && errors.email}
        />
        <TextArea
          label="Message"
          name="message"
          required
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          limit={{ length: lengthOf(message.trim()), max: MESSAGE_MAX }}
          error={messageProblem(message) && errors.message}
        />
        <Select
          label="What is it about?"
          name="subject"
          hint={
            subject === 'legal'
              ? `Please include the link to the post. We’ll answer within ${plural(legalNoticeHours, 'hour')}.`
              : undefined
          }
          value={subject}
          onChange={(event) => setSubject(event.target.value)}
        >
          <Options names={SUBJECT_NAMES} />
        </Select>
      </form>
    </Dialog>
  )
}

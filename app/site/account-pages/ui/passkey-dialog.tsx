/** Adds a passkey on this device or on a security key. Load it with `lazyDialog`. */
import { useId, useRef, useState } from 'react'
import { addPasskey } from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { FACTOR_NAME_MAX } from '#app/identity/accounts/sign-in/second-step.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog, useOpenCount } from '#app/kit/ui/dialog.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'

export function PasskeyDialog({ open, onOpenChange, name, onDone }: PasskeyDialogProps) {
  const formId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [passkeyName, setPasskeyName] = useState(name)
  useOpenCount(open, () => setPasskeyName(name))
  const { form, errors, isBusy } = useForm<'name'>({
    check: () => ({ name: passkeyName.trim() === '' ? 'Please enter a name' : undefined }),
    send: async () => {
      const problem = await addPasskey(passkeyName.trim())
      if (problem?.code === 'mfa_factor_name_conflict')
        return { name: 'You already have one with this name' }
      if (problem) return { form: problem.message }
      onOpenChange(false)
      onDone()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add a passkey"
      description="It stays on your device, in your password manager or on a security key. We only store what we need to recognize it, and nothing about your fingerprint or face."
      initialFocus={field}
      footer={
        <>
          <CancelButton onCancel={() => onOpenChange(false)} />
          <Button type="submit" form={formId} busy={isBusy} busyLabel="Waiting for your browser...">
            Add passkey
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
        <TextField
          ref={field}
          label="Name"
          hint="A name to tell it apart from your other passkeys, such as Phone."
          name="passkey-name"
          autoComplete="off"
          maxLength={FACTOR_NAME_MAX}
          required
          value={passkeyName}
          onChange={(event) => setPasskeyName(event.target.value)}
          error={errors.name}
        />
      </form>
    </Dialog>
  )
}

type PasskeyDialogProps = OpenProps & { name: string; onDone: () => void }

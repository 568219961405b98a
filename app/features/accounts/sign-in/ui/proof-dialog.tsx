/** Asks a person to prove again who they are, before what could harm them is done. Load it with `lazyDialog`. */
import { useRef, useState } from 'react'
import { FormError } from '../../../../forms/form-error.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import { endProof, useSession } from '../../../../session/session.data.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import type { OpenProps } from '../../../../ui/lazy-component.tsx'
import { PasswordField } from '../../../../ui/password-field.tsx'
import { WhosePassword } from '../../../../ui/whose-password.tsx'
import { provePassword } from '../sign-in.data.ts'

export function ProofDialog({ open, onOpenChange }: OpenProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Confirm it is you"
      description="You signed in a while ago. What you are about to do asks for your password once more."
      initialFocus={field}
    >
      {/* A form of its own each time: no password stays in it. */}
      <ProofForm field={field} onCancel={() => onOpenChange(false)} />
    </Dialog>
  )
}

function ProofForm({ field, onCancel }: ProofFormProps) {
  const { me } = useSession()
  const [password, setPassword] = useState('')
  const { form, errors, isBusy } = useForm<'password'>({
    check: () => ({ password: password === '' ? 'Please enter your password' : undefined }),
    send: async () => {
      const problem = await provePassword(password)
      if (problem?.code === 'invalid_credentials') return { password: problem.message }
      if (problem) return { form: problem.message }
      endProof(true)
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <WhosePassword email={me?.email} />
      <PasswordField
        ref={field}
        label="Your password"
        name="current-password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors.password}
      />
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy} busyLabel="Checking...">
          Confirm
        </Button>
      </div>
    </form>
  )
}

interface ProofFormProps {
  field: React.RefObject<HTMLInputElement | null>
  onCancel: () => void
}

/** Shows twelve words once, and seals a backup with them. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dialogButtonsClasses } from '#app/kit/ui/class-names.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { Checkbox } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { CurrentPasswordField } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { hasPasskeys } from '../../accounts/sign-in/second-step.data.ts'
import { reauthenticate } from '../../accounts/sign-in/sign-in.data.ts'
import type { CredentialContract } from '../credential.contract.ts'
import { secretProblem } from '../issuing-problem.data.ts'
import { ownCredentialQuery } from '../own-credential.data.ts'
import { backUpSecret, makePasskey } from '../secret-backup.data.ts'
import type { Opener } from '../vault.ts'
import { RatingWords } from './first-words-dialog.tsx'

export function BackUpSecretDialog({ open, onOpenChange, isKept }: BackUpSecretDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title={isKept ? 'Get new words' : 'Back up your ratings'}
      description={
        isKept
          ? 'These twelve words replace every earlier way to unlock your backup. We’ll only show them this once, so write them down.'
          : 'Your other devices will ask for these twelve words once. We’ll only show them this once, so write them down.'
      }
    >
      {/* Mounted again each time, so it has new words and no old password. */}
      <KeepForm onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

function KeepForm({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const { me } = useSession()
  const [bits] = useState(() => crypto.getRandomValues(new Uint8Array(16)))
  const [hasPasskey, setHasPasskey] = useState(false)
  const [hasPassword, setHasPassword] = useState(false)
  const [password, setPassword] = useState('')
  const { form, errors, isBusy } = useForm<'password'>({
    check: () => ({
      password: hasPassword && password === '' ? 'Please enter your password' : undefined,
    }),
    send: async () => {
      // A typo would only be noticed on the other device.
      const problem = hasPassword ? await reauthenticate(password) : undefined
      if (problem?.code === 'invalid_credentials') return { password: problem.message }
      if (problem) return { form: problem.message }
      try {
        const openers: Opener[] = [{ kind: 'words', bits }]
        if (hasPasskey)
          openers.push({
            kind: 'passkey',
            output: await makePasskey(sessionKey, me?.profile?.username ?? me?.email ?? ''),
          })
        if (hasPassword) openers.push({ kind: 'password', password })
        await backUpSecret(api, sessionKey, openers)
      } catch (error) {
        return { form: secretProblem(error) }
      }
      queryClient.invalidateQueries({ queryKey: ownCredentialQuery(api, sessionKey).queryKey })
      onClose()
      toast({ title: 'Your ratings are backed up' })
    },
  })
  return (
    <form {...form} className="grid gap-4">
      <FormError>{errors.form}</FormError>
      <RatingWords bits={bits} />
      {hasPasskeys() && (
        <Checkbox
          label="Unlock with a passkey too"
          hint="Your password manager stores another passkey, named after your ratings. On devices with that passkey, a fingerprint, face or PIN is enough."
          name="has-passkey"
          checked={hasPasskey}
          onChange={(event) => setHasPasskey(event.target.checked)}
        />
      )}
      <Checkbox
        label="Unlock with my password too"
        hint="Easier, but weaker. We see your password when you log in, and anyone who guesses it from a stolen copy of our database learns what you rated. Changing your password later won’t change this."
        name="has-password"
        checked={hasPassword}
        onChange={(event) => setHasPassword(event.target.checked)}
      />
      {hasPassword && (
        <CurrentPasswordField
          email={me?.email}
          value={password}
          onPassword={setPassword}
          error={errors.password}
        />
      )}
      <div className={dialogButtonsClasses}>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy} busyLabel="Saving...">
          I’ve written them down
        </Button>
      </div>
    </form>
  )
}

type BackUpSecretDialogProps = OpenProps & {
  isKept: boolean
}

/** Shows twelve words this once, and keeps a person's secret sealed with them. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { PasswordField, WhosePassword } from '#app/kit/ui/password-field.tsx'
import { Checkbox } from '#app/kit/ui/text-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { hasPasskeys } from '../../accounts/sign-in/second-step.data.ts'
import { provePassword } from '../../accounts/sign-in/sign-in.data.ts'
import { wordsFile, wordsOfBits } from '../../accounts/words/twelve-words.data.ts'
import { WordsList } from '../../accounts/words/ui/words-list.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { secretProblem } from '../issuing-problem.data.ts'
import { keepSecret } from '../kept-secret.data.ts'
import { ownCredentialQuery } from '../own-credential.data.ts'
import { makePasskey } from '../passkey-opener.data.ts'
import type { Opener } from '../vault.ts'

export function KeepSecretDialog({ open, onOpenChange, isKept }: KeepSecretDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title={isKept ? 'Make new words' : 'Keep for other devices'}
      description={
        isKept
          ? 'These twelve words take the place of all that opened it before. They are shown this once: write them down.'
          : 'Your other devices ask for these twelve words, once each. They are shown this once: write them down.'
      }
    >
      {/* Other words each time, and no password stays in it. */}
      <KeepForm onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

function KeepForm({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const api = useApi<CredentialContract>()
  const who = useSessionKey()
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
      // A slip of the keys would only be noticed on the other device.
      const problem = hasPassword ? await provePassword(password) : undefined
      if (problem?.code === 'invalid_credentials') return { password: problem.message }
      if (problem) return { form: problem.message }
      try {
        const openers: Opener[] = [{ kind: 'words', bits }]
        if (hasPasskey)
          openers.push({
            kind: 'passkey',
            output: await makePasskey(who, me?.profile?.username ?? me?.email ?? ''),
          })
        if (hasPassword) openers.push({ kind: 'password', password })
        await keepSecret(api, who, openers)
      } catch (error) {
        return { form: secretProblem(error) }
      }
      queryClient.invalidateQueries({ queryKey: ownCredentialQuery(api, who).queryKey })
      onClose()
      toast({ title: 'Kept for your other devices' })
    },
  })
  const words = wordsOfBits(bits)
  return (
    <form {...form} className="grid gap-4">
      <FormError>{errors.form}</FormError>
      <WordsList words={words} fileOf={(siteName) => ratingWordsFile(words, siteName)} />
      <p className="text-sm leading-6 text-ink-soft">
        <strong className="font-semibold text-ink">
          Whoever has these words and can get into your account can see your ratings, and change and
          remove them, as you can.
        </strong>{' '}
        So keep them where your employer does not look, and send them to nobody. We never see them,
        and never ask for them.
      </p>
      {hasPasskeys() && (
        <Checkbox
          label="Open it with a passkey too"
          hint="Your password manager keeps one more passkey, named after your ratings. On devices that have it, your finger, your face or its PIN will do."
          name="has-passkey"
          checked={hasPasskey}
          onChange={(event) => setHasPasskey(event.target.checked)}
        />
      )}
      <Checkbox
        label="Open it with my password too"
        hint="Easier, and weaker: we see your password when you sign in, and whoever guesses it from a stolen copy of our database learns what you rated. It stays the password of today when you change yours."
        name="has-password"
        checked={hasPassword}
        onChange={(event) => setHasPassword(event.target.checked)}
      />
      {hasPassword && (
        <>
          <WhosePassword email={me?.email} />
          <PasswordField
            label="Your password"
            name="current-password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={errors.password}
          />
        </>
      )}
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy} busyLabel="Sealing...">
          I have written them down
        </Button>
      </div>
    </form>
  )
}

const ratingWordsFile = (words: string[], siteName: string) =>
  wordsFile(`Whoever has these twelve words and gets into the account can see what it rated
at ${siteName}, and change and remove it. Keep them where nobody else looks.

${words.join(' ')}
`)

type KeepSecretDialogProps = OpenProps & {
  /** It is kept already, with other words. */
  isKept: boolean
}

/** Opens what another device has kept, by the words that it showed, a passkey or the password. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Choice } from '#app/kit/ui/choice.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { PasswordField, WhosePassword } from '#app/kit/ui/password-field.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { hasPasskeys } from '../../accounts/sign-in/second-step.data.ts'
import { ViewLink } from '../../accounts/sign-in/ui/view-link.tsx'
import { bitsOfWords } from '../../accounts/words/twelve-words.data.ts'
import { WordsField, WordsFileButton } from '../../accounts/words/ui/words-field.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { useHolder } from '../holder.data.ts'
import { SecretElsewhere, secretProblem } from '../issuing-problem.data.ts'
import { bringKeptSecret } from '../kept-secret.data.ts'
import { canSeal, ownCredentialQuery } from '../own-credential.data.ts'
import { askPasskey } from '../passkey-opener.data.ts'
import { useRated } from '../rated.data.ts'
import type { Bytes, Opener } from '../vault.ts'

export function BringSecretForm({ onClose, onLost, onBrought }: BringSecretFormProps) {
  const api = useApi<CredentialContract>()
  const who = useSessionKey()
  const { data, isError, isFetching, refetch } = useQuery(ownCredentialQuery(api, who))
  const lost = <ViewLink onPress={onLost}>I have lost them</ViewLink>
  if (!canSeal())
    return (
      <div className="grid gap-4 text-sm leading-6 text-ink-soft">
        <p>
          At an address without https a browser cannot decrypt, so they cannot be brought here. Open
          this site by https, or use the other device.
        </p>
        <p>{lost}</p>
      </div>
    )
  if (!data && isError)
    return <LoadErrorLine text="What is kept for you did not load." onRetry={refetch} />
  if (!data) return <Skeleton className="h-60 w-full rounded-lg" />
  if (data.vault === null)
    return (
      <div className="grid gap-4 text-sm leading-6 text-ink-soft">
        <p>
          Nothing is kept for your other devices yet. On the device that you rated with, open
          Settings, find “Your ratings”, and choose “Keep for other devices”. Then come back here.
        </p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          {lost}
          <Button busy={isFetching} busyLabel="Looking..." onClick={() => refetch()}>
            Look again
          </Button>
        </div>
      </div>
    )
  return (
    <OpenForm onClose={onClose} onMissing={refetch} onBrought={onBrought}>
      {lost}
    </OpenForm>
  )
}

function OpenForm({ onClose, onMissing, onBrought, children }: OpenFormProps) {
  const api = useApi<CredentialContract>()
  const who = useSessionKey()
  const { me } = useSession()
  const holder = useHolder(who)
  const names = Object.values(useRated(who)).map(({ name }) => name)
  // As it was when this opened: what is brought is no question any more.
  const [{ own, rated }] = useState({ own: holder, rated: names })
  const [kind, setKind] = useState<Opener['kind']>('words')
  const [text, setText] = useState('')
  const [password, setPassword] = useState('')
  const { form, errors, isBusy } = useForm<Opener['kind']>({
    check: () => {
      if (kind === 'password')
        return { password: password === '' ? 'Please enter your password' : undefined }
      if (kind === 'passkey') return {}
      const read = bitsOfWords(text)
      return { words: 'problem' in read ? read.problem : undefined }
    },
    send: async () => {
      try {
        const result = await bringKeptSecret(api, who, await opener())
        if (result === 'closed')
          return kind === 'passkey' ? { form: CLOSED.passkey } : { [kind]: CLOSED[kind] }
        if (result === 'missing') onMissing()
        else await onBrought()
      } catch (error) {
        return { form: error instanceof SecretElsewhere ? REPLACED : secretProblem(error) }
      }
    },
  })
  async function opener(): Promise<Opener> {
    if (kind === 'password') return { kind, password }
    if (kind === 'passkey') return { kind, output: await askPasskey() }
    return { kind, bits: (bitsOfWords(text) as { bits: Bytes }).bits }
  }
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      {own && (
        <p className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
          {`This device has a secret of its own${rated.length > 0 ? `, and rated ${listed(rated)} with it` : ''}. Once you bring the other one, this device can't change or remove what it rated before. Keep it, or replace it?`}
        </p>
      )}
      <fieldset>
        <legend className="text-sm font-medium text-ink">What opens them</legend>
        <div className="mt-2 grid gap-2">
          <Choice
            name="opener"
            value="words"
            isChosen={kind === 'words'}
            onChoose={() => setKind('words')}
            title="Twelve words"
            text="The other device showed them when you kept your ratings."
          />
          {hasPasskeys() && (
            <Choice
              name="opener"
              value="passkey"
              isChosen={kind === 'passkey'}
              onChoose={() => setKind('passkey')}
              title="Passkey"
              text="If you made one when you kept them, and this device has it."
            />
          )}
          <Choice
            name="opener"
            value="password"
            isChosen={kind === 'password'}
            onChoose={() => setKind('password')}
            title="Password"
            text="If you chose that on the other device: the password that you had then."
          />
        </div>
      </fieldset>
      {kind === 'words' && (
        <div className="grid gap-3">
          <WordsField value={text} error={errors.words} onValue={setText} />
          <div>
            <WordsFileButton onText={setText} />
          </div>
        </div>
      )}
      {kind === 'password' && (
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
      <div className="-my-3">{children}</div>
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <CancelButton onCancel={onClose}>{own ? 'Keep it' : 'Cancel'}</CancelButton>
        <Button type="submit" busy={isBusy} busyLabel="Opening...">
          {own ? 'Replace it' : 'Bring them here'}
        </Button>
      </div>
    </form>
  )
}

const listed = (names: string[]) => new Intl.ListFormat('en').format(names)

const CLOSED = {
  words: 'These words do not open them. If you made new words since, only the new ones do.',
  passkey:
    'This passkey does not open them. Choose the one named after your ratings; if you made new words since, it opens nothing any more.',
  password: 'This password does not open them. Try the one that you had when you kept them.',
}
const REPLACED =
  'Your ratings were begun anew on another device since, so this does not count any more. Keep them again there.'

interface BringSecretFormProps {
  onClose: () => void
  onLost: () => void
  /** Waited for. */
  onBrought: () => Promise<void>
}

interface OpenFormProps {
  onClose: () => void
  /** Nothing is kept any more. */
  onMissing: () => void
  onBrought: () => Promise<void>
  children: React.ReactNode
}

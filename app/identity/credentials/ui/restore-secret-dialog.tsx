import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { dialogButtonsClasses } from '#app/kit/ui/class-names.ts'
import { Dialog, useOpenCount } from '#app/kit/ui/dialog.tsx'
import { Choice } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { CurrentPasswordField } from '#app/kit/ui/password-field.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { hasPasskeys } from '../../accounts/sign-in/second-step.data.ts'
import { ViewLink } from '../../accounts/sign-in/ui/view-link.tsx'
import { bitsOfWords } from '../../accounts/words/twelve-words.data.ts'
import { WordsField, WordsFileButton } from '../../accounts/words/ui/twelve-words.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { canSeal } from '../credential.ts'
import { useHolder } from '../holder.data.ts'
import { startOver } from '../issuing.data.ts'
import { SecretElsewhere, secretProblem } from '../issuing-problem.data.ts'
import { ownCredentialQuery } from '../own-credential.data.ts'
import { useSubmissions } from '../rated.data.ts'
import { askPasskey, restoreBackup } from '../secret-backup.data.ts'
import type { Bytes, Opener } from '../vault.ts'
import { NewKeysDialog } from './new-keys-dialog.tsx'

/** Load it with `lazyDialog`. */
export function RestoreSecretDialog(props: RestoreSecretDialogProps) {
  const { open, onOpenChange, onBrought, isLost = false } = props
  const queryClient = useQueryClient()
  const [view, setView] = useState<'bring' | 'lost'>(isLost ? 'lost' : 'bring')
  useOpenCount(open, () => setView(isLost ? 'lost' : 'bring'))
  const finish = async (said: { title: string; description?: string }) => {
    // Update the forms behind this dialog before it closes. They need the ratings we found.
    await queryClient.invalidateQueries({ queryKey: [MY_KEY] })
    onOpenChange(false)
    toast(said)
    onBrought?.()
  }
  const [keysError, setKeysError] = useState<unknown>()
  const shared = {
    onClose: () => onOpenChange(false),
    onError: setKeysError,
  }
  const newKeys = <NewKeysDialog error={keysError} onClose={() => setKeysError(undefined)} />
  if (view === 'lost')
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        width="md"
        title="Start over"
        description="Your existing ratings stay on the site. You won’t be able to change or remove them."
      >
        <LostSecretForm {...shared} onBegun={() => finish({ title: 'You started over' })} />
        {newKeys}
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Restore your ratings"
      description="They’re on another device. Restore them here to rate and edit from this one."
    >
      <BringSecretForm
        {...shared}
        onLost={() => setView('lost')}
        onBrought={() =>
          finish({
            title: 'Your ratings are now on this device',
            description:
              'Open a company that you rated, and your rating appears within two minutes.',
          })
        }
      />
      {newKeys}
    </Dialog>
  )
}

type RestoreSecretDialogProps = OpenProps & {
  /** The browser has a secret now, restored or new. */
  onBrought?: () => void
  /** Opens with "Start over". */
  isLost?: boolean
}

/** Restores a backup with the words, a passkey or the password. */
function BringSecretForm({ onLost, ...shared }: BringSecretFormProps) {
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const { data, isError, isFetching, refetch } = useQuery(ownCredentialQuery(api, sessionKey))
  const lost = <ViewLink onPress={onLost}>I’ve lost my words</ViewLink>
  if (!canSeal())
    return (
      <div className="grid gap-4 text-sm leading-6 text-ink-soft">
        <p>
          Without https, a browser can’t decrypt your ratings. Open this site with https, or use
          your other device.
        </p>
        <p>{lost}</p>
      </div>
    )
  if (!data && isError) return <LoadErrorLine text="Couldn’t load your backup." onRetry={refetch} />
  if (!data) return <Skeleton className="h-60 w-full rounded-lg" />
  if (data.vault === null)
    return (
      <div className="grid gap-4 text-sm leading-6 text-ink-soft">
        <p>
          You haven’t backed up your ratings yet. On the device you rated with, open Settings, find
          “Your ratings”, and choose “Back up your ratings”. Then come back here.
        </p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          {lost}
          <Button busy={isFetching} busyLabel="Checking..." onClick={() => refetch()}>
            Check again
          </Button>
        </div>
      </div>
    )
  return (
    <OpenForm {...shared} onMissing={refetch}>
      {lost}
    </OpenForm>
  )
}

function OpenForm({ onClose, onError, onMissing, onBrought, children }: OpenFormProps) {
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const { me } = useSession()
  const holder = useHolder(sessionKey)
  const names = [...new Set(Object.values(useSubmissions(sessionKey)).map(({ name }) => name))]
  // The state when it opened, because after restoring there's nothing left to decide.
  const [{ own, rated }] = useState({ own: holder, rated: names })
  const [kind, setKind] = useState<Opener['kind']>('words')
  const [text, setText] = useState('')
  const [password, setPassword] = useState('')
  const { form, errors, isBusy, clearErrors } = useForm<Opener['kind']>({
    check: () => {
      if (kind === 'password')
        return { password: password === '' ? 'Please enter your password' : undefined }
      if (kind === 'passkey') return {}
      const read = bitsOfWords(text)
      return { words: 'problem' in read ? read.problem : undefined }
    },
    send: async () => {
      try {
        const result = await restoreBackup(api, sessionKey, await opener())
        if (result === 'closed')
          return kind === 'passkey' ? { form: CLOSED.passkey } : { [kind]: CLOSED[kind] }
        if (result === 'missing') onMissing()
        else await onBrought()
      } catch (error) {
        onError(error)
        return { form: error instanceof SecretElsewhere ? STARTED_OVER : secretProblem(error) }
      }
    },
  })
  const typeWords = (words: string) => {
    setText(words)
    clearErrors()
  }
  async function opener(): Promise<Opener> {
    if (kind === 'password') return { kind, password }
    if (kind === 'passkey') return { kind, output: await askPasskey() }
    return { kind, bits: (bitsOfWords(text) as { bits: Bytes }).bits }
  }
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      {own && <OwnSecret names={rated} />}
      <fieldset>
        <legend className="text-sm font-medium text-ink">Unlock with</legend>
        <div className="mt-2 grid gap-2">
          <Choice
            name="opener"
            value="words"
            isChosen={kind === 'words'}
            onChoose={() => setKind('words')}
            title="Twelve words"
            text="Not written down yet? Your other device shows them in Settings, under “Your ratings”. It can also show a code to scan."
          />
          {hasPasskeys() && (
            <Choice
              name="opener"
              value="passkey"
              isChosen={kind === 'passkey'}
              onChoose={() => setKind('passkey')}
              title="Passkey"
              text="If you made one for the backup and it’s on this device."
            />
          )}
          <Choice
            name="opener"
            value="password"
            isChosen={kind === 'password'}
            onChoose={() => setKind('password')}
            title="Password"
            text="If you backed up with your password. Use the one you had then."
          />
        </div>
      </fieldset>
      {kind === 'words' && (
        <div className="grid gap-3">
          <WordsField value={text} error={errors.words} onValue={typeWords} />
          <div>
            <WordsFileButton onText={typeWords} />
          </div>
        </div>
      )}
      {kind === 'password' && (
        <CurrentPasswordField
          email={me?.email}
          value={password}
          onPassword={setPassword}
          error={errors.password}
        />
      )}
      <div className="-my-3">{children}</div>
      <div className={dialogButtonsClasses}>
        <CancelButton onCancel={onClose}>{own ? 'Keep it' : 'Cancel'}</CancelButton>
        <Button type="submit" busy={isBusy} busyLabel="Opening...">
          {own ? 'Replace it' : 'Restore'}
        </Button>
      </div>
    </form>
  )
}

/** @param props.names companies that this device rated */
export const OwnSecret = ({ names }: { names: string[] }) => (
  <p className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
    {`This device has its own secret${names.length > 0 ? `, and used it to rate ${listed(names)}` : ''}. If you restore the other secret, this device can’t change or remove its earlier ratings. Keep this one, or replace it?`}
  </p>
)

const listed = (names: string[]) => new Intl.ListFormat('en').format(names)

const CLOSED = {
  words: 'These words don’t unlock your ratings. If you got new words since, use those.',
  passkey:
    'This passkey doesn’t unlock your ratings. Choose the one named after your ratings. If you got new words since, it no longer works.',
  password:
    'This password doesn’t unlock your ratings. Try the one you had when you backed them up.',
}
const STARTED_OVER =
  'You started over on another device, so this backup no longer works. Back up again there.'

interface SecretFormProps {
  onClose: () => void
  /** Called with what issuing threw, because the dialog may know what to do. */
  onError: (error: unknown) => void
}

interface BringSecretFormProps extends SecretFormProps {
  onLost: () => void
  onBrought: () => Promise<void>
}

interface OpenFormProps extends SecretFormProps {
  /** The backup is gone. */
  onMissing: () => void
  onBrought: () => Promise<void>
  children: React.ReactNode
}

/** Replaces a lost secret, once the account may do so. */
function LostSecretForm({ onClose, onError, onBegun }: LostSecretFormProps) {
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const { data, isError, refetch } = useQuery(ownCredentialQuery(api, sessionKey))
  const { form, errors, isBusy } = useForm({
    send: async () => {
      try {
        await startOver(api, sessionKey)
      } catch (error) {
        onError(error)
        return { form: secretProblem(error) }
      }
      await onBegun()
    },
  })
  if (!data && isError) return <LoadErrorLine text="Couldn’t load your backup." onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full rounded-lg" />
  const { anewFrom } = data
  // The server also checks, because browsers' clocks can be wrong.
  const mayBegin = anewFrom === null || anewFrom <= new Date().toISOString().slice(0, 10)
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <div className="grid gap-3 text-sm leading-6 text-ink-soft">
        {mayBegin ? (
          <p>
            This device creates a new secret, and you’ll rate with that from now on. The old one
            stops working, even if you find it. You can do this once every six months.
          </p>
        ) : (
          <p>
            {'You can start over from '}
            <strong className="font-semibold text-ink">{dateText(anewFrom)}</strong>
            {
              '. Until then, this device can’t rate. We only allow it once every six months, so no one can rate again and again with new secrets.'
            }
          </p>
        )}
        <p>Before that, please look for your twelve words or a device you’ve rated with.</p>
      </div>
      <div className={dialogButtonsClasses}>
        <Button variant="secondary" onClick={onClose}>
          {mayBegin ? 'Cancel' : 'Close'}
        </Button>
        {mayBegin && (
          <Button type="submit" variant="danger" busy={isBusy} busyLabel="Starting over...">
            Start over
          </Button>
        )}
      </div>
    </form>
  )
}

interface LostSecretFormProps extends SecretFormProps {
  onBegun: () => Promise<void>
}

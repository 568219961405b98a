/** Whether a person's rating secret is on this device, and how to get it to others. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { canSeal } from '../credential.ts'
import { useHolder } from '../holder.data.ts'
import {
  dropHandover,
  ownCredentialQuery,
  secretLocation,
  useHandover,
} from '../own-credential.data.ts'
import { FirstWordsDialog, RestoreSecretDialog } from './issuing-dialogs.tsx'

const BackUpSecretDialog = lazyDialog(() =>
  import('./back-up-secret-dialog.tsx').then((it) => it.BackUpSecretDialog),
)

const ShowCodeDialog = lazyDialog(() =>
  import('./show-code-dialog.tsx').then((it) => it.ShowCodeDialog),
)

const HandoverDialog = lazyDialog(() =>
  import('./handover-dialog.tsx').then((it) => it.HandoverDialog),
)

export function RatingSecretSettings() {
  const { flags } = useSite()
  return (
    <SettingsSection
      id="your-ratings"
      title="Your ratings"
      text="You rate with a secret that only your devices have, so no one can look up what you rated."
    >
      <div className="grid gap-4">
        <RatingSecret />
        <Brought />
        {flags.enableDiscussions && (
          <a href="/my-discussions?tab=ratings" className={`w-fit text-sm ${linkClasses}`}>
            See what you rated
          </a>
        )}
        <WhatIsThis />
      </div>
    </SettingsSection>
  )
}

function RatingSecret() {
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const holder = useHolder(sessionKey)
  const { data, isError, refetch } = useQuery(ownCredentialQuery(api, sessionKey))
  const [open, setOpen] = useState<'words' | 'code' | 'keep' | 'bring' | 'lost'>()
  // Keeps its view while it closes.
  const [isLost, setLost] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  if (!data && isError) return <LoadErrorLine text="Couldn’t load your backup." onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full rounded-lg" />
  const where = secretLocation(data, holder)
  const isKept = data.vault !== null
  const isUnwritten = isKept && holder?.hasBackup === true && holder.words !== undefined
  const close = () => setOpen(undefined)
  const openBring = (view: 'bring' | 'lost') => {
    setLost(view === 'lost')
    setOpen(view)
  }
  return (
    <div ref={section} tabIndex={-1} className="grid gap-4 outline-none">
      {where === 'nowhere' && (
        <Text>
          Nothing to back up yet. Your secret is created soon after you log in, or with your first
          rating.
        </Text>
      )}
      {where === 'here' && (
        <>
          <Text>
            {isUnwritten
              ? 'Only this device can change or remove your ratings. If you write down twelve words, your other devices can too.'
              : isKept
                ? 'This device can change and remove your ratings, and you have a backup for your other devices. Unlock it there with your twelve words, or the passkey or password you chose.'
                : 'Only this device can change or remove your ratings. Lose it, and no one can.'}
          </Text>
          {canSeal() && (
            <div className="flex flex-wrap gap-3">
              {isUnwritten && (
                <Button {...FirstWordsDialog.preload} onClick={() => setOpen('words')}>
                  Show twelve words
                </Button>
              )}
              <Button
                variant={isKept ? 'secondary' : 'primary'}
                {...BackUpSecretDialog.preload}
                onClick={() => setOpen('keep')}
              >
                {isUnwritten
                  ? 'Use a passkey or password'
                  : isKept
                    ? 'Get new words'
                    : 'Back up your ratings'}
              </Button>
              <Button
                variant="secondary"
                {...ShowCodeDialog.preload}
                onClick={() => setOpen('code')}
              >
                Move to another device
              </Button>
            </div>
          )}
        </>
      )}
      {(where === 'elsewhere' || where === 'refused') && (
        <>
          <Text>
            {where === 'elsewhere'
              ? 'Your ratings are on another device. Restore them here to rate and edit from this one.'
              : 'You started over on another device, so this device’s secret no longer works.'}
          </Text>
          <div className="flex flex-wrap gap-3">
            {canSeal() && (
              <Button {...RestoreSecretDialog.preload} onClick={() => openBring('bring')}>
                Restore
              </Button>
            )}
            <Button
              variant="ghost"
              {...RestoreSecretDialog.preload}
              onClick={() => openBring('lost')}
            >
              I’ve lost my words
            </Button>
          </div>
        </>
      )}
      {where !== 'nowhere' && !canSeal() && (
        <Text>
          Without https, a browser can’t encrypt, so you can’t back up or restore your ratings here.
        </Text>
      )}
      <BackUpSecretDialog open={open === 'keep'} onOpenChange={close} isKept={isKept} />
      <FirstWordsDialog
        open={open === 'words'}
        onOpenChange={close}
        onWritten={() => section.current?.focus()}
      />
      <ShowCodeDialog open={open === 'code'} onOpenChange={close} />
      <RestoreSecretDialog
        open={open === 'bring' || open === 'lost'}
        onOpenChange={close}
        isLost={isLost}
        onBrought={() => section.current?.focus()}
      />
    </div>
  )
}

/** After another device's code was scanned, it waits here until the person has logged in. */
function Brought() {
  const { flags } = useSite()
  const handover = useHandover()
  const finish = () => flags.enableDiscussions && navigate('/my-discussions?tab=ratings')
  return (
    <HandoverDialog
      open={handover !== null}
      onOpenChange={dropHandover}
      handover={handover}
      onBrought={finish}
    />
  )
}

const Text = ({ children }: { children: ReactNode }) => (
  <p className="text-sm leading-6 text-ink-soft">{children}</p>
)

function WhatIsThis() {
  return (
    <details className="text-sm leading-6 text-ink-soft">
      <summary className="inline-flex min-h-8 items-center underline decoration-line-strong underline-offset-4 hover:text-ink">
        What is this?
      </summary>
      <div className="mt-2 grid gap-3">
        <p>
          Soon after you log in with a confirmed email, or with your first rating, your browser
          creates a secret and keeps it to itself. We know that your account has one, but not what
          it is. Even a copy of our database, logs and keys doesn’t show what you rated. Only a
          device with the secret can change or remove your ratings.
        </p>
        <p>
          For your other devices, we store an encrypted copy. Only you can unlock it, with twelve
          words or a passkey. If you lose the device and have no words, your ratings stay on the
          site, but no one can change or remove them.
        </p>
        <p>
          It can’t protect you if we change the scripts we send, if someone watches your connection,
          or if your writing style or a small company gives you away. And no outsider has reviewed
          it yet.
        </p>
      </div>
    </details>
  )
}

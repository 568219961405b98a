/**
 * Settings of the account and this browser. At `/settings/account`, those that stay when settings are off. Spec §2.1.
 */
import { useEffect, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { OwnBadges } from '#app/companies/badges/ui/own-badges.tsx'
import { RepresentCompany } from '#app/companies/claims/ui/represent-company.tsx'
import {
  SIGN_OUT_FAILED,
  SIGNING_OUT,
  signOutOthers,
} from '#app/identity/accounts/sign-in/own-sign-in.data.ts'
import { HANDOVER_FRAGMENT } from '#app/identity/credentials/credential.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { saveAs } from '#app/kit/session/download.tsx'
import { type Member, MembersOnly } from '#app/kit/session/members-only.tsx'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { SettingsSection, settingsEntry } from '#app/kit/session/settings.tsx'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Checkbox, Choice } from '#app/kit/ui/field.tsx'
import { lazyComponent, lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { type ThemeChoice, useTheme } from '#app/kit/ui/theme.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { DigestSettings } from '#app/moderation/notifications/ui/digest-settings.tsx'
import { switchSlash, useSlash } from '../layout/finder/finder.data.ts'
import { exportFile } from './account.data.ts'
import type { ExportContract } from './account-pages.contract.ts'
import { AccountSettings, PasswordSettings } from './ui/account-settings.tsx'

const WaitingMailSettings = lazyComponent(
  () =>
    import('#app/office/administration/ui/waiting-mail-settings.tsx').then(
      (it) => it.WaitingMailSettings,
    ),
  <Skeleton className="h-40 w-full rounded-xl" />,
)

const RatingSecretSettings = lazyComponent(
  () =>
    import('#app/identity/credentials/ui/rating-secret-settings.tsx').then(
      (it) => it.RatingSecretSettings,
    ),
  <Skeleton className="h-40 w-full rounded-xl" />,
)

export default function SettingsScreen() {
  const { title, text, askIn } = useTexts()
  const isBringing = useBrought()
  const { status } = useSession()
  return (
    <>
      <PageHead title={title} text={text} />
      <MembersOnly
        title={title}
        text={isBringing ? 'Log in to bring your ratings to this device.' : askIn}
      >
        {(me) => <OwnSettings me={me} />}
      </MembersOnly>
      {status === 'signed-out' && (
        <div className="mx-auto w-full max-w-2xl px-5 pb-16 known:invisible no-js:hidden">
          <KeyboardSettings />
        </div>
      )}
    </>
  )
}

/**
 * What the code on another device brings. We take it before the person logs in, because the server keeps it for only
 * two minutes.
 */
function useBrought() {
  const [isBringing, setBringing] = useState(false)
  useEffect(() => {
    const { hash, pathname, search } = location
    if (!hash.startsWith(HANDOVER_FRAGMENT)) return
    history.replaceState(history.state, '', `${pathname}${search}#your-ratings`)
    import('#app/identity/credentials/handover.data.ts')
      .then(({ receiveHandover }) => receiveHandover(hash))
      .then(
        () => setBringing(true),
        (error) => {
          const description = errorSentence(error)
          toast({ title: 'Couldn’t bring your ratings', description, variant: 'destructive' })
        },
      )
  }, [])
  return isBringing
}

function useTexts() {
  const { flags } = useSite()
  return { title: settingsEntry(flags).name, ...(flags.enableSettings ? SETTINGS : ACCOUNT) }
}

const SETTINGS = {
  text: 'Your email, your password, your devices and your data.',
  askIn: 'Manage your email, password, devices and data here. Log in to see them.',
}
const ACCOUNT = {
  text: 'Your two-step login, your data, and deleting your account.',
  askIn: 'Manage your data and your account here. Log in to see them.',
}

function OwnSettings({ me }: { me: Member }) {
  const { flags } = useSite()
  const { title } = useTexts()
  const isWhole = flags.enableSettings
  const isRating = isWhole && flags.enableCompanies && me.role !== 'employer'
  return (
    <div className="mx-auto w-full max-w-2xl px-5 py-12 md:py-16">
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        {title}
      </h1>
      <div className="mt-10 grid gap-12">
        {isWhole && <AccountSettings me={me} />}
        {isWhole && <PasswordSettings me={me} />}
        <FactorSettings me={me} />
        {isWhole && flags.enableNotifications && <DigestSettings me={me} />}
        {isWhole && me.can.includes('moderate') && <WaitingMailSettings />}
        {isRating && <OwnBadges />}
        {isRating && <RatingSecretSettings />}
        <RepresentCompany me={me} />
        {isWhole && <AppearanceSettings />}
        <KeyboardSettings />
        {isWhole && <DeviceSettings />}
        <DataSettings />
        <DeletionSettings username={me.profile.username} />
      </div>
    </div>
  )
}

/** The theme of this browser. Spec §3, §4. */
const CHOICES: { value: ThemeChoice; title: string }[] = [
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
  { value: 'system', title: 'Same as system' },
]

function AppearanceSettings() {
  const { choice, setTheme } = useTheme()
  return (
    <SettingsSection id="appearance" title="Appearance" text="For this browser only.">
      <fieldset className="grid gap-3 sm:grid-cols-3">
        <legend className="sr-only">Theme</legend>
        {CHOICES.map(({ value, title }) => (
          <Choice
            key={value}
            name="theme"
            value={value}
            title={title}
            isChosen={choice === value}
            onChoose={() => setTheme(value)}
          />
        ))}
      </fieldset>
    </SettingsSection>
  )
}

/** Visitors get these settings, too (WCAG 2.1.4). */
function KeyboardSettings() {
  const isOn = useSlash()
  return (
    <SettingsSection id="keyboard" title="Keyboard" text="For this browser only.">
      <Checkbox
        label="Open the search with the “/” key"
        checked={isOn}
        onChange={(event) => switchSlash(event.target.checked)}
      />
    </SettingsSection>
  )
}

function DataSettings() {
  const api = useApi<ExportContract>()
  const sessionKey = useSessionKey()
  const download = async () => {
    try {
      const { name, blob } = await exportFile(api, sessionKey)
      saveAs(name, blob)
    } catch (error) {
      const description = errorSentence(error)
      toast({ title: 'Download failed', description, variant: 'destructive' })
    }
  }
  return (
    <SettingsSection id="data" title="Your data">
      <SettingAction
        text="A JSON file with everything we store about you, plus the ratings this browser knows about."
        label="Download my data"
        busyLabel="Preparing..."
        onPress={download}
      />
    </SettingsSection>
  )
}

const DeletionDialog = lazyDialog(() =>
  import('./ui/deletion-dialog.tsx').then((it) => it.DeletionDialog),
)

function DeletionSettings({ username }: { username: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsSection id="deletion" title="Delete account">
      <div className="flex flex-col items-start gap-x-8 gap-y-4 md:flex-row md:items-center md:justify-between">
        <p className="max-w-sm text-sm leading-6 text-ink-soft">
          This permanently deletes your username, email and password. You choose what happens to
          your posts.
        </p>
        <Button variant="danger" {...DeletionDialog.preload} onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <DeletionDialog open={isOpen} onOpenChange={setOpen} username={username} />
    </SettingsSection>
  )
}

/** We don't keep a list of sessions, but we can end all of them. */
function DeviceSettings() {
  const signOut = async () => {
    const problem = await signOutOthers()
    toast(
      problem
        ? { title: SIGN_OUT_FAILED, description: problem.message, variant: 'destructive' }
        : { title: 'Other devices signed out', description: 'Only this browser is signed in now.' },
    )
  }
  return (
    <SettingsSection id="devices" title="Devices">
      <SettingAction
        text="Signed in on a device that isn’t yours? We don’t keep a list of devices, but we can sign out all the others."
        label="Sign out other devices"
        busyLabel={SIGNING_OUT}
        onPress={signOut}
      />
    </SettingsSection>
  )
}

const FactorList = lazyComponent(
  () => import('./ui/factor-list.tsx').then((it) => it.FactorList),
  <Skeleton className="h-20 w-full rounded-lg" />,
)

function FactorSettings({ me }: { me: Member }) {
  return (
    <SettingsSection
      id="two-step"
      title="Two-step login"
      text="After your password, you’ll enter a code from an app or use a passkey. A stolen password alone won’t get anyone in."
    >
      <FactorList me={me} />
    </SettingsSection>
  )
}

function SettingAction({ text, label, busyLabel, onPress }: SettingActionProps) {
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await onPress()
    setBusy(false)
  }
  return (
    <div className="flex flex-col items-start gap-x-8 gap-y-4 md:flex-row md:items-center md:justify-between">
      <p className="max-w-sm text-sm leading-6 text-ink-soft">{text}</p>
      <Button variant="secondary" busy={isBusy} busyLabel={busyLabel} onClick={press}>
        {label}
      </Button>
    </div>
  )
}

interface SettingActionProps {
  text: string
  label: string
  busyLabel: string
  /** Shows its own toasts. Never rejects. */
  onPress: () => Promise<void>
}

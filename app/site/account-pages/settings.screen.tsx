/** What a person decides about the own account and this browser; at `/settings/account` what stays where settings are off. Spec §2.1. */
import { useEffect } from 'react'
import { OwnBadges } from '#app/companies/badges/ui/own-badges.tsx'
import { RepresentCompany } from '#app/companies/claims/ui/represent-company.tsx'
import { type Member, MembersOnly } from '#app/kit/session/members-only.tsx'
import { PageHead } from '#app/kit/session/page-head.tsx'
import { settingsEntry } from '#app/kit/session/settings-path.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { DigestSettings } from '#app/moderation/notifications/ui/digest-settings.tsx'
import { AccountSettings } from './ui/account-settings.tsx'
import { AppearanceSettings } from './ui/appearance-settings.tsx'
import { DataSettings } from './ui/data-settings.tsx'
import { DeletionSettings } from './ui/deletion-settings.tsx'
import { DeviceSettings } from './ui/device-settings.tsx'
import { FactorSettings } from './ui/factor-settings.tsx'
import { PasswordSettings } from './ui/password-settings.tsx'

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
  return (
    <>
      <PageHead title={title} text={text} />
      <MembersOnly title={title} text={askIn}>
        {(me) => <OwnSettings me={me} />}
      </MembersOnly>
    </>
  )
}

function useTexts() {
  const { flags } = useSite()
  return { title: settingsEntry(flags).name, ...(flags.enableSettings ? SETTINGS : ACCOUNT) }
}

const SETTINGS = {
  text: 'Your email, your password, your devices and your data.',
  askIn: 'Your email, password, devices and data are looked after here. Log in to see them.',
}
const ACCOUNT = {
  text: 'Your second step at signing in, your data, and the way out.',
  askIn: 'Your data and your account are looked after here. Log in to see them.',
}

function OwnSettings({ me }: { me: Member }) {
  const { flags } = useSite()
  const { title } = useTexts()
  const isWhole = flags.enableSettings
  const isRating = isWhole && flags.enableCompanies && me.role !== 'employer'
  useEffect(() => {
    // The sections were not there when the browser looked for the address's fragment.
    const id = location.hash.slice(1)
    if (id) document.getElementById(id)?.scrollIntoView()
  }, [])
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
        {isRating && (
          <RatingSecretSettings>
            <OwnBadges />
          </RatingSecretSettings>
        )}
        <RepresentCompany me={me} />
        {isWhole && <AppearanceSettings />}
        {isWhole && <DeviceSettings />}
        <DataSettings />
        <DeletionSettings username={me.profile.username} />
      </div>
    </div>
  )
}

/** A second step after the password: whether it is on, and what it asks for. */
import type { Member } from '#app/kit/session/members-only.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'

const FactorList = lazyComponent(
  () => import('./factor-list.tsx').then((it) => it.FactorList),
  <Skeleton className="h-20 w-full rounded-lg" />,
)

export function FactorSettings({ me }: { me: Member }) {
  return (
    <SettingsSection
      id="two-step"
      title="Two-step sign-in"
      text="After your password, signing in asks for a code from an app, or for a passkey. Whoever learns your password alone does not get in."
    >
      <FactorList me={me} />
    </SettingsSection>
  )
}

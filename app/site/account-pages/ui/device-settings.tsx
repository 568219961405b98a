/** Where else the account is signed in: we keep no list of that, but can end it. */

import { signOutOthers } from '#app/identity/accounts/sign-in/own-sign-in.data.ts'
import { SIGN_OUT_FAILED, SIGNING_OUT } from '#app/identity/accounts/sign-in/sign-out-texts.ts'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { SettingAction } from './setting-action.tsx'

export function DeviceSettings() {
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
        text="Signed in on a machine that is not yours? We keep no list of devices, but can sign out all others at once."
        label="Sign out other devices"
        busyLabel={SIGNING_OUT}
        onPress={signOut}
      />
    </SettingsSection>
  )
}

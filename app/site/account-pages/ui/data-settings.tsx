/** Everything that the site holds on a person, to take along. */
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { saveAs } from '#app/kit/ui/save-as.ts'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { exportFile } from '../account.data.ts'
import type { ExportContract } from '../export.contract.ts'
import { SettingAction } from './setting-action.tsx'

export function DataSettings() {
  const api = useApi<ExportContract>()
  const who = useSessionKey()
  const download = async () => {
    try {
      const { name, blob } = await exportFile(api, who)
      saveAs(name, blob)
    } catch (error) {
      const description = refusalOf(error)
      toast({ title: 'Download failed', description, variant: 'destructive' })
    }
  }
  return (
    <SettingsSection id="data" title="Your data">
      <SettingAction
        text="A file with everything that we hold on you, and the ratings that this browser knows of, for people and for programs (JSON)."
        label="Download my data"
        busyLabel="Preparing..."
        onPress={download}
      />
    </SettingsSection>
  )
}

/** Whether a mail a day says what waits; for those who decide. Saved at once. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { Checkbox } from '#app/kit/ui/text-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { AdministrationContract } from '../administration.contract.ts'
import { chooseWaitingMail, waitingMailQuery } from '../administration.data.ts'

export function WaitingMailSettings() {
  const api = useApi<AdministrationContract>()
  const queryClient = useQueryClient()
  const { data, isError, refetch } = useQuery(waitingMailQuery(api))
  const choose = (isWanted: boolean) =>
    chooseWaitingMail({ api, queryClient }, isWanted).then(
      () =>
        toast({
          id: 'waiting-mail',
          title: isWanted ? 'A mail a day says what waits' : 'No more mails about what waits',
        }),
      (error) =>
        toast({
          id: 'waiting-mail',
          title: 'Your choice was not saved',
          description: refusalOf(error),
          variant: 'destructive',
        }),
    )
  return (
    <SettingsSection
      id="waiting-mail"
      title="What waits by email"
      text="For whoever helps to run this site. The mail says how much waits and since when, and names nobody."
    >
      {data && (
        <Checkbox
          label="Once a day, while something waits"
          checked={data.isWanted}
          onChange={(event) => choose(event.target.checked)}
        />
      )}
      {!data && !isError && <Skeleton className="h-6 w-64" />}
      {!data && isError && <LoadErrorLine text="Your choice did not load." onRetry={refetch} />}
    </SettingsSection>
  )
}

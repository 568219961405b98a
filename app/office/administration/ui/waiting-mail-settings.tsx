/** Email settings for people who decide. Saves immediately. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { Checkbox } from '#app/kit/ui/field.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
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
          title: isWanted ? 'Daily task email is on' : 'Daily task email is off',
        }),
      reportError('Couldn’t save your choice', 'waiting-mail'),
    )
  return (
    <SettingsSection
      id="waiting-mail"
      title="Open tasks by email"
      text="For people who help run this site. The email says how much is waiting and for how long, and never names anyone."
    >
      {data && (
        <Checkbox
          label="Once a day, while there’s something to do"
          checked={data.isWanted}
          onChange={(event) => choose(event.target.checked)}
        />
      )}
      {!data && !isError && <Skeleton className="h-6 w-64" />}
      {!data && isError && <LoadErrorLine text="Couldn’t load your choice." onRetry={refetch} />}
    </SettingsSection>
  )
}

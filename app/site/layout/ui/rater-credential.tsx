/** The credential of someone who may rate, which every page keeps ready. */
import { useEffect, useState } from 'react'
import { createClient, fetchTransport } from '#app/api/client.ts'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { MAY_BE_ELSEWHERE } from '#app/identity/credentials/credential.ts'
import {
  markTold,
  useHandover,
  useSecretElsewhere,
} from '#app/identity/credentials/own-credential.data.ts'
import { startIssuing } from '#app/identity/credentials/quiet-issuing.data.ts'
import { RestoreSecretDialog } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { authenticator, useSessionKey } from '#app/kit/session/session.data.ts'
import { dismissToast, toast } from '#app/kit/ui/toast.ts'

/** Fetched in advance, so that opening the dialog reveals nothing. */
const quietClient = createClient<CredentialContract>(
  fetchTransport({ ...authenticator, reauthenticate: async () => false }),
)

/** After login, also says once on each device that ratings may be on another device. */
export function RaterCredential() {
  const sessionKey = useSessionKey()
  const isElsewhere = useSecretElsewhere(sessionKey)
  const [isOpen, setOpen] = useState(false)
  // After scanning a code, people don't need this notice.
  const isDue = useHandover() === null && isElsewhere
  useEffect(
    () => startIssuing({ api: quietClient, sessionKey, token: authenticator.token }),
    [sessionKey],
  )
  useEffect(() => {
    if (!isDue || !markTold(sessionKey)) return
    const id = toast({
      title: MAY_BE_ELSEWHERE.title,
      description: MAY_BE_ELSEWHERE.description,
      duration: 0,
      action: { label: MAY_BE_ELSEWHERE.label, onPress: () => setOpen(true) },
    })
    return () => dismissToast(id)
  }, [isDue, sessionKey])
  return <RestoreSecretDialog open={isOpen} onOpenChange={setOpen} />
}

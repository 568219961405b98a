import { useState } from 'react'
import { currentAuthRequest } from '#app/kit/session/session.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { SIGN_OUT_REDIRECT_MS, SIGNED_OUT, signOutFailed } from '../sign-in/own-sign-in.data.ts'
import { signOut } from '../sign-in/sign-in.data.ts'

/** @param inDrawer the drawer shows the error's own message, the header's menu doesn't. Spec §8. */
export function useSignOut({ inDrawer }: { inDrawer: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const leave = async () => {
    setBusy(true)
    const problem = await signOut()
    setBusy(false)
    if (problem) {
      toast(signOutFailed(problem.message, inDrawer))
      return
    }
    toast(SIGNED_OUT)
    // By then, people may be logging in again, on a slow device. We don't interrupt that.
    setTimeout(() => {
      if (!currentAuthRequest()) navigate('/')
    }, SIGN_OUT_REDIRECT_MS)
  }
  return { isBusy, leave }
}

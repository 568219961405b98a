/** Signing out from a menu. Spec §2.3, §8. */
import { useState } from 'react'
import { navigate } from '#app/kit/ui/address.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { signOut } from '../sign-in/sign-in.data.ts'
import { SIGN_OUT_REDIRECT_MS, SIGNED_OUT, signOutFailed } from '../sign-in/sign-out-texts.ts'

/** @param inDrawer the drawer tells the error's own message, the header's menu does not. Spec §8. */
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
    setTimeout(navigate, SIGN_OUT_REDIRECT_MS, '/')
  }
  return { isBusy, leave }
}

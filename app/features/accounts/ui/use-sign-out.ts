/** Signing out from a menu. Spec §2.3, §8. */
import { useState } from 'react'
import { navigate } from '../../../ui/address.ts'
import { toast } from '../../../ui/toast.ts'
import { signOut } from '../sign-in.data.ts'

/** Spec §9. */
const REDIRECT_MS = 100

/** @param inDrawer the drawer tells the error's own message, the header's menu does not. Spec §8. */
export function useSignOut({ inDrawer }: { inDrawer: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const leave = async () => {
    setBusy(true)
    const problem = await signOut()
    setBusy(false)
    if (problem) {
      const description = (inDrawer && problem.message) || 'Please try again'
      toast({ title: 'Sign out failed', description, variant: 'destructive' })
      return
    }
    toast({
      title: 'Signed out successfully',
      description: 'You have been signed out of your account.',
    })
    setTimeout(navigate, REDIRECT_MS, '/')
  }
  return { isBusy, leave }
}

import { useState } from 'react'
import { toast } from '#app/kit/ui/toast.ts'
import { resendConfirmation } from '../own-sign-in.data.ts'

export function useResend(email: string) {
  const [isBusy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    const problem = await resendConfirmation(email)
    setBusy(false)
    toast(
      problem
        ? { title: 'Sending failed', description: problem.message, variant: 'destructive' }
        : { title: 'Confirmation email sent', description: 'Check your inbox for the link.' },
    )
  }
  return { isBusy, resend }
}

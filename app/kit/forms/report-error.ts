/** What every failed act of a person ends with. */
import { toast } from '../ui/toast.ts'
import { refusalOf } from './refusal.ts'

/** Says what did not work; what was shown too early has been taken back already. */
export const reportError = (title: string) => (error: unknown) => {
  toast({ title, description: refusalOf(error), variant: 'destructive' })
}

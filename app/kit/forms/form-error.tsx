/** What a form couldn't send, said inside it. Toasts stand outside the dialog and go away. */
import { CircleAlert } from 'lucide'
import { Icon } from '../ui/icon.tsx'

export function FormError({ children }: { children?: string }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && (
        <p className="flex gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-sm leading-5 text-danger">
          <Icon of={CircleAlert} className="mt-0.5 size-4 shrink-0" />
          {children}
        </p>
      )}
    </div>
  )
}

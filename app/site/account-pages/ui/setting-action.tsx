import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'

export function SettingAction({ text, label, busyLabel, onPress }: SettingActionProps) {
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await onPress()
    setBusy(false)
  }
  return (
    <div className="flex flex-col items-start gap-x-8 gap-y-4 md:flex-row md:items-center md:justify-between">
      <p className="max-w-sm text-sm leading-6 text-ink-soft">{text}</p>
      <Button variant="secondary" busy={isBusy} busyLabel={busyLabel} onClick={press}>
        {label}
      </Button>
    </div>
  )
}

interface SettingActionProps {
  text: string
  label: string
  busyLabel: string
  /** Shows its own toasts. Never rejects. */
  onPress: () => Promise<void>
}

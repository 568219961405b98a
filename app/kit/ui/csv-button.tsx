import { Download } from 'lucide'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function CsvButton({ onSave }: { onSave: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<Icon of={Download} />}
      aria-disabled={isBusy || undefined}
      onClick={async () => {
        if (isBusy) return
        setBusy(true)
        await onSave()
        setBusy(false)
      }}
    >
      Download CSV
    </Button>
  )
}

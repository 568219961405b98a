/** Recovery codes, shown only once. Load it with `lazyDialog`. */
import { Copy, Download } from 'lucide'
import { useState } from 'react'
import { recoveryFile } from '#app/identity/accounts/sign-in/second-step.ts'
import { FormError } from '#app/kit/forms/form.tsx'
import { saveAs } from '#app/kit/session/download.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog, useOpenCount } from '#app/kit/ui/dialog.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { copyText } from '#app/kit/ui/share.ts'

export function CodesDialog({ open, onOpenChange, codes }: OpenProps & { codes: string[] }) {
  const { siteName, siteUrl } = useSite()
  const [isWarned, setWarned] = useState(false)
  useOpenCount(open, () => setWarned(false))
  const download = () => {
    const text = recoveryFile(codes, { siteName, siteUrl })
    saveAs(`${siteName.toLowerCase()}-recovery-codes.txt`, new Blob([text], { type: 'text/plain' }))
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        // People easily press Escape or click outside by mistake, so the first attempt only warns.
        if (!next && !isWarned) setWarned(true)
        else onOpenChange(next)
      }}
      title="Save your recovery codes"
      description="If you lose your app or passkey, each of these logs you in once. We can’t show them again."
      footer={<Button onClick={() => onOpenChange(false)}>I’ve saved them</Button>}
    >
      <div className="grid gap-5">
        <FormError>
          {isWarned ? 'Save them first. You can’t see them again after this.' : undefined}
        </FormError>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-lg bg-sunken px-4 py-3 text-center"
        >
          {codes.map((code) => (
            <li key={code}>
              <code className="text-[0.9375rem] leading-7 text-ink">{code}</code>
            </li>
          ))}
        </ul>
        <div className="grid gap-3 sm:grid-cols-2">
          <Button
            variant="secondary"
            icon={<Icon of={Copy} />}
            onClick={() => copyText(codes.join('\n'), 'Codes copied')}
          >
            Copy
          </Button>
          <Button variant="secondary" icon={<Icon of={Download} />} onClick={download}>
            Download
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

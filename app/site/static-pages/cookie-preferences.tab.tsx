/** The dialog that the footer opens too; the privacy policy has no footer. Spec §4. */
import { useState } from 'react'
import { DIALOG_TEXTS } from '#app/kit/consent/consent.ts'
import { PreferencesDialog } from '#app/kit/consent/ui/consent-banner.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'

export default function CookiePreferences() {
  const [isOpen, setOpen] = useState(false)
  return (
    <p className="text-[1.0625rem] leading-7 text-ink-soft no-js:hidden">
      You can change your mind at any time:{' '}
      <button
        type="button"
        aria-haspopup="dialog"
        {...PreferencesDialog.preload}
        onClick={() => setOpen(true)}
        className={linkLook}
      >
        {DIALOG_TEXTS.open}
      </button>
      <PreferencesDialog open={isOpen} onOpenChange={setOpen} />
    </p>
  )
}

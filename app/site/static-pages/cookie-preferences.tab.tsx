/** The same dialog that the footer opens, because the privacy policy has no footer. Spec §4. */
import { useState } from 'react'
import { DIALOG_TEXTS } from '#app/kit/consent/consent.ts'
import { PreferencesDialog } from '#app/kit/consent/ui/consent-banner.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'

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
        className={linkClasses}
      >
        {DIALOG_TEXTS.open}
      </button>
      <PreferencesDialog open={isOpen} onOpenChange={setOpen} />
    </p>
  )
}

/** The light that this browser shows the site in. Spec §3, §4. */

import { Choice } from '#app/kit/ui/choice.tsx'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { type ThemeChoice, useTheme } from '#app/kit/ui/theme.ts'

const CHOICES: { value: ThemeChoice; title: string }[] = [
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
  { value: 'system', title: 'As the system' },
]

export function AppearanceSettings() {
  const { choice, setTheme } = useTheme()
  return (
    <SettingsSection id="appearance" title="Appearance" text="For this browser only.">
      <fieldset className="grid gap-3 sm:grid-cols-3">
        <legend className="sr-only">Theme</legend>
        {CHOICES.map(({ value, title }) => (
          <Choice
            key={value}
            name="theme"
            value={value}
            title={title}
            isChosen={choice === value}
            onChoose={() => setTheme(value)}
          />
        ))}
      </fieldset>
    </SettingsSection>
  )
}

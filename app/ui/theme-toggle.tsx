/** The button that turns the light on or off. Spec §2.3. */

import { Moon, Sun } from 'lucide'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { Spinner } from './spinner.tsx'
import { useTheme } from './theme.ts'

/** Shows a spinner, as large as the icon, until the theme is known (Spec §2.2). */
export function ThemeToggle({ className }: { className?: string }) {
  const { theme, setTheme } = useTheme()
  if (!theme)
    return (
      <IconButton label="Loading theme" hasTooltip={false} disabled className={className}>
        <Spinner label="" className="size-[1.125rem]" />
      </IconButton>
    )
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      label={`Switch to ${other} mode`}
      className={className}
      onClick={() => setTheme(other)}
    >
      {theme === 'dark' ? <Icon of={Sun} /> : <Icon of={Moon} />}
    </IconButton>
  )
}

/** The button that turns the light on or off. Spec §2.3. */

import { Moon, Sun } from 'lucide'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { useTheme } from './theme.ts'

/**
 * The server does not know the theme, so it sends both ways, and the styles show the one: first-script.js has set
 * the theme before anything is painted, and a press waits there for the scripts.
 */
export function ThemeToggle({ className }: { className?: string }) {
  const { theme, setTheme } = useTheme()
  if (!theme)
    return (
      <IconButton className={className}>
        <Icon of={Moon} className="in-[.dark]:hidden" />
        <Icon of={Sun} className="in-[.light]:hidden" />
        <span className="sr-only in-[.dark]:hidden">{wayTo('dark')}</span>
        <span className="sr-only in-[.light]:hidden">{wayTo('light')}</span>
      </IconButton>
    )
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={wayTo(other)} className={className} onClick={() => setTheme(other)}>
      {theme === 'dark' ? <Icon of={Sun} /> : <Icon of={Moon} />}
    </IconButton>
  )
}

const wayTo = (theme: 'light' | 'dark') => `Switch to ${theme} mode`

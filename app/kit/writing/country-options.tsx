import { memo } from 'react'
import { countries } from './countries.ts'

/** There are 249, so we render them only once, not at each letter typed nearby. */
export const CountryOptions = memo(function CountryOptions() {
  return countries().map(({ code, name }) => (
    // Browsers have different names for some countries than the server.
    <option key={code} value={code} suppressHydrationWarning>
      {name}
    </option>
  ))
})

import { memo } from 'react'
import { countries } from './countries.ts'

/** All 249 countries, rendered only once, not at each letter typed nearby. */
export const CountryOptions = memo(function CountryOptions() {
  return countries().map(({ code, name }) => (
    // Browsers have different names for some countries than the server.
    <option key={code} value={code} suppressHydrationWarning>
      {name}
    </option>
  ))
})

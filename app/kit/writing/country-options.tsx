import { memo } from 'react'
import { countries } from './countries.ts'

/** Made once, not at each letter typed nearby, as there are 249. */
export const CountryOptions = memo(function CountryOptions() {
  return countries().map(({ code, name }) => (
    // Browsers have other names for some than the server.
    <option key={code} value={code} suppressHydrationWarning>
      {name}
    </option>
  ))
})

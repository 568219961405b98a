/** All countries by name, as options of a select. */
import { memo } from 'react'
import { countries } from './countries.ts'

/** Made once and not with every letter that is typed beside them: they are 249. */
export const CountryOptions = memo(function CountryOptions() {
  return countries().map(({ code, name }) => (
    // Browsers know other names for some than the server does.
    <option key={code} value={code} suppressHydrationWarning>
      {name}
    </option>
  ))
})

import { useState } from 'react'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { useTabText } from '#app/kit/writing/tab-text.ts'
import { ContactDialog } from '#app/office/contact/ui/lazy-contact-dialog.ts'
import { BenefitsTab } from '#app/ratings/benefits/ui/benefits-tab.tsx'

export default function CompanyBenefits({ company }: { company: CompanyPageView }) {
  const [isOpen, setOpen] = useState(false)
  const [message, setMessage] = useTabText('kettle-contact:message')
  const suggest = () => {
    if (message === '') setMessage('The list of benefits should also have: ')
    setOpen(true)
  }
  return (
    <BenefitsTab company={{ id: company.id, name: company.name, path: companyPath(company) }}>
      <p className="text-sm leading-6 text-ink-soft no-js:hidden">
        Is a benefit missing from the list?{' '}
        <button type="button" className={linkClasses} {...ContactDialog.preload} onClick={suggest}>
          Suggest it
        </button>
      </p>
      <ContactDialog open={isOpen} onOpenChange={setOpen} />
    </BenefitsTab>
  )
}

/** The component gallery's page. Development only. */
import './ui/app.css'
import { createRoot } from 'react-dom/client'
import { Gallery } from './ui/gallery.tsx'
import { Toaster } from './ui/toaster.tsx'
import { TooltipHost } from './ui/tooltip.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <>
      <Gallery />
      <Toaster />
      <TooltipHost />
    </>,
  )

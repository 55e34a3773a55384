import type { ButtonHTMLAttributes } from 'react'

const looks = {
  primary: 'border-text bg-text text-bg hover:opacity-90',
  normal: 'border-border bg-raised text-text hover:border-control',
  quiet: 'border-transparent bg-transparent text-text2 hover:text-text',
  danger: 'border-transparent bg-transparent text-fail hover:border-fail',
} as const

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof looks
  size?: 'small' | 'normal' | 'touch'
}

const sizes = { small: 'h-6 px-2 text-xs', normal: 'h-7 px-2.5', touch: 'h-11 px-3 text-sm rounded-lg' } as const

export function Button({ look = 'normal', size = 'normal', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-50 ${looks[look]} ${sizes[size]} ${className}`}
    />
  )
}

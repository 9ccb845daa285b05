<#
.SYNOPSIS
Runs the DirectML cases of this folder with DxDispatch, and judges the answers.

.DESCRIPTION
Finds Python and DxDispatch, and hands all arguments to run.py, which judges. Needs Python 3.9 or newer with numpy
(py -m pip install numpy). DxDispatch is the one of -DxDispatch, of the environment variable DXDISPATCH, beside this
file, or on the PATH. The exit codes are those of run.py.

.EXAMPLE
.\run.ps1 -DxDispatch C:\dxdispatch\dxdispatch.exe

.EXAMPLE
.\run.ps1 -DxDispatch C:\dxdispatch\dxdispatch.exe --adapter Radeon --op ELEMENT_WISE_* --level 5_0 --type FLOAT16
#>
param(
    [string]$DxDispatch = $env:DXDISPATCH,
    [Parameter(ValueFromRemainingArguments = $true)]
    [string[]]$Rest
)

$python = @('py', 'python3', 'python') | Where-Object { Get-Command $_ -ErrorAction SilentlyContinue } | Select-Object -First 1
if (-not $python) {
    Write-Error 'Python is missing: install Python 3.9 or newer from python.org'
    exit 3
}
& $python -c 'import sys, numpy; sys.exit(sys.version_info < (3, 9))'
if ($LASTEXITCODE -ne 0) {
    Write-Error "run.py needs Python 3.9 or newer with numpy: $python -m pip install numpy"
    exit 3
}
if (-not $DxDispatch) {
    $beside = Join-Path $PSScriptRoot 'dxdispatch.exe'
    $DxDispatch = if (Test-Path $beside) { $beside } else { 'dxdispatch.exe' }
}
if (-not (Get-Command $DxDispatch -ErrorAction SilentlyContinue)) {
    Write-Error "DxDispatch is missing: $DxDispatch; name it with -DxDispatch PATH"
    exit 3
}
$arguments = @((Join-Path $PSScriptRoot 'run.py'), '--dxdispatch', $DxDispatch) + $Rest
& $python @arguments
exit $LASTEXITCODE

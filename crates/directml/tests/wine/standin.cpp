// A stand-in for DirectML, to see under Wine what our device hands over. It is no DirectML: it computes nothing, and copies
// the bytes of inputs into outputs. It reads what it is given through DirectML.h alone (the MIT-licensed header of feature
// level 6_4), so it is a witness of its own; it writes a line for all it was told, one with `WRONG` for what real DirectML
// would refuse or take amiss, and counts its objects. It bears another file name, and is loaded by `--library` only.
//
// As real DirectML does, it gives up the device (GetDeviceRemovedReason) where a binding is wrong: bindings have no result.

#define DML_TARGET_VERSION 0x6400
#define _Maybenull_
#define __REQUIRED_RPCNDR_H_VERSION__ 475
#include <windows.h>
#include <directx/d3d12.h>
#include <directx/DirectML.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

// Interfaces as DirectML.h names them: MinGW's compiler has no __uuidof for them.
const char UNKNOWN[] = "00000000-0000-0000-c000-000000000046";
const char DEVICE[] = "6dbd6437-96fd-423f-a98c-ae5e7c2a573f";
const char OPERATOR[] = "26caae7a-3081-4633-9581-226fbe57695d";
const char DISPATCHABLE[] = "dcb821a8-1039-441e-9f1c-b1759c2f3cec";
const char COMPILED[] = "6b15e56a-bf5c-4902-92d8-da3a650afea4";
const char INITIALIZER[] = "427c1113-435c-469c-8676-4d5dd072f813";
const char TABLE[] = "29c687dc-de74-4e3b-ab00-1168f2fc3cfc";
const char RECORDER[] = "e6857a76-2e3e-4fdd-bff4-5d2ba10fb453";

std::string lines;
long alive = 0;

// It is of an older level than the newest, and has none of the 4-bit types.
const UINT NEWEST_LEVEL = 0x6300;
const UINT DESCRIPTORS = 7;
const UINT64 PERSISTENT = 300, TEMPORARY = 1000, TOO_MUCH = 1ull << 46;

void say(const char* form, ...) {
    char text[2048];
    va_list more;
    va_start(more, form);
    vsnprintf(text, sizeof text, form, more);
    va_end(more);
    lines += text;
    lines += '\n';
}

bool is(REFIID id, const char* name) {
    char text[40];
    snprintf(text, sizeof text, "%08lx-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", (unsigned long)id.Data1, id.Data2,
             id.Data3, id.Data4[0], id.Data4[1], id.Data4[2], id.Data4[3], id.Data4[4], id.Data4[5], id.Data4[6],
             id.Data4[7]);
    return strcmp(text, name) == 0;
}

// What every object has: a count, and a list of names it answers to. `Interface` is one of DirectML.h.
template <typename Interface> struct Object : Interface {
    ULONG count = 1;
    std::vector<const char*> names;
    explicit Object(std::vector<const char*> own) : names(std::move(own)) { alive += 1; }
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID id, void** found) override {
        for (const char* name : names) {
            if (is(id, name)) {
                this->AddRef();
                *found = this;
                return S_OK;
            }
        }
        *found = nullptr;
        say("WRONG: asked for an interface that is not there");
        return E_NOINTERFACE;
    }
    ULONG STDMETHODCALLTYPE AddRef() override { return ++count; }
    ULONG STDMETHODCALLTYPE Release() override {
        if (count == 0) say("WRONG: released too often");
        ULONG left = --count;
        if (left == 0) {
            alive -= 1;
            gone();
        }
        return left;
    }
    virtual void gone() {}
    HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, IUnknown*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE SetName(PCWSTR) override { return S_OK; }
};

template <typename Interface> struct Child : Object<Interface> {
    using Object<Interface>::Object;
    HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return E_NOTIMPL; }
};

// A tensor that has to be bound.
struct Tensor {
    UINT64 bytes = 0;
    UINT alignment = 0;
    bool there = false;
};

struct Description {
    std::vector<Tensor> inputs, outputs;
    UINT64 temporary = 0, persistent = 0;
};

struct Operator final : Child<IDMLOperator> {
    Description description;
    explicit Operator(Description d) : Child({UNKNOWN, OPERATOR}), description(std::move(d)) {}
};

// As Microsoft's compiler lays out a method that gives back a struct; MinGW's does otherwise (GCC bug 64384).
struct Dispatchable : IDMLPageable {
    virtual DML_BINDING_PROPERTIES* STDMETHODCALLTYPE GetBindingProperties(DML_BINDING_PROPERTIES* properties) = 0;
    virtual HRESULT STDMETHODCALLTYPE Reset(UINT, IDMLCompiledOperator* const*) = 0;
};

struct Work final : Child<Dispatchable> {
    Description description;
    bool initializes;
    ID3D12Resource* persistent = nullptr;  // Where an initializer was told to write: its address is compared only.
    Work* of = nullptr;
    Work(Description d, bool initializer)
        : Child({UNKNOWN, DISPATCHABLE, initializer ? INITIALIZER : COMPILED}), description(std::move(d)),
          initializes(initializer) {}
    void gone() override {
        if (of) of->Release();
        of = nullptr;
    }
    DML_BINDING_PROPERTIES* STDMETHODCALLTYPE GetBindingProperties(DML_BINDING_PROPERTIES* properties) override {
        *properties = initializes ? DML_BINDING_PROPERTIES{DESCRIPTORS, 0, 0}
                                  : DML_BINDING_PROPERTIES{DESCRIPTORS + 2, description.temporary, description.persistent};
        return properties;
    }
    HRESULT STDMETHODCALLTYPE Reset(UINT, IDMLCompiledOperator* const*) override { return E_NOTIMPL; }
};

#include "standin_describe.h"
#include "standin_bind.h"

struct Device final : Object<IDMLDevice> {
    bool removed = false;
    Device() : Object({UNKNOWN, DEVICE}) {}
    HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE feature, UINT asked_size, const void* asked, UINT said_size,
                                                  void* said) override {
        if (feature == DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT) {
            if (asked_size != sizeof(DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT) || said_size != sizeof(BOOL)) {
                say("WRONG: sizes of a query of a type");
                return E_INVALIDARG;
            }
            auto query = static_cast<const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT*>(asked);
            auto answer = static_cast<DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT*>(said);
            answer->IsSupported = query->DataType >= 1 && query->DataType <= DML_TENSOR_DATA_TYPE_INT64;
            return S_OK;
        }
        if (feature != DML_FEATURE_FEATURE_LEVELS || asked_size != sizeof(DML_FEATURE_QUERY_FEATURE_LEVELS) ||
            said_size != sizeof(DML_FEATURE_DATA_FEATURE_LEVELS)) {
            say("WRONG: a query of feature %d with sizes %u and %u", int(feature), asked_size, said_size);
            return E_INVALIDARG;
        }
        auto query = static_cast<const DML_FEATURE_QUERY_FEATURE_LEVELS*>(asked);
        UINT newest = 0;
        for (UINT i = 0; i < query->RequestedFeatureLevelCount; i++) {
            UINT level = query->RequestedFeatureLevels[i];
            if (level > NEWEST_LEVEL) return E_INVALIDARG;  // A level it does not know.
            if (level > newest) newest = level;
        }
        static_cast<DML_FEATURE_DATA_FEATURE_LEVELS*>(said)->MaxSupportedFeatureLevel = DML_FEATURE_LEVEL(newest);
        return S_OK;
    }
    HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC* desc, REFIID id, void** made) override {
        *made = nullptr;
        if (!is(id, OPERATOR)) return E_NOINTERFACE;
        Describer describer;
        HRESULT result = describer.read(desc);
        say("%s: %s", describer.text.c_str(), SUCCEEDED(result) ? "taken" : describer.why.c_str());
        if (SUCCEEDED(result)) *made = new Operator(describer.description);
        return result;
    }
    HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags, REFIID id, void** made) override {
        *made = nullptr;
        if (!is(id, COMPILED)) return E_NOINTERFACE;
        if (flags) say("compiled with flags %u", UINT(flags));
        *made = new Work(static_cast<Operator*>(op)->description, false);
        return S_OK;
    }
    HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT count, IDMLCompiledOperator* const* operators, REFIID id,
                                                        void** made) override {
        *made = nullptr;
        if (!is(id, INITIALIZER)) return E_NOINTERFACE;
        if (count != 1) say("WRONG: an initializer of %u operators", count);
        Work* of = reinterpret_cast<Work*>(operators[0]);
        Description writes;
        writes.outputs = {Tensor{of->description.persistent, 256, of->description.persistent > 0}};
        Work* initializer = new Work(writes, true);
        of->AddRef();
        initializer->of = of;
        *made = initializer;
        return S_OK;
    }
    HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID id, void** made) override {
        if (!is(id, RECORDER)) return E_NOINTERFACE;
        *made = new Recorder(&removed);
        return S_OK;
    }
    HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID id, void** made) override {
        *made = nullptr;
        if (!is(id, TABLE)) return E_NOINTERFACE;
        Work* work = reinterpret_cast<Work*>(desc->Dispatchable);
        DML_BINDING_PROPERTIES properties;
        work->GetBindingProperties(&properties);
        if (desc->SizeInDescriptors < properties.RequiredDescriptorCount || !desc->CPUDescriptorHandle.ptr ||
            !desc->GPUDescriptorHandle.ptr) {
            say("WRONG: a binding table of %u descriptors", desc->SizeInDescriptors);
            return E_INVALIDARG;
        }
        *made = new Table(work, &removed);
        return S_OK;
    }
    HRESULT STDMETHODCALLTYPE Evict(UINT, IDMLPageable* const*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE MakeResident(UINT, IDMLPageable* const*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override { return removed ? DXGI_ERROR_INVALID_CALL : S_OK; }
    HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID, void**) override { return E_NOTIMPL; }
};

}  // namespace

extern "C" HRESULT WINAPI DMLCreateDevice1(ID3D12Device* direct3d, DML_CREATE_DEVICE_FLAGS flags,
                                           DML_FEATURE_LEVEL level, REFIID id, void** made) {
    *made = nullptr;
    if (flags & DML_CREATE_DEVICE_FLAG_DEBUG) return DXGI_ERROR_SDK_COMPONENT_MISSING;
    if (!direct3d || flags || !is(id, DEVICE) || level > NEWEST_LEVEL) {
        say("WRONG: DMLCreateDevice1");
        return E_INVALIDARG;
    }
    say("device of level %#x", UINT(level));
    *made = new Device();
    return S_OK;
}

/// Writes what was said since the last time, a line each, with its end; how many bytes it takes, or more than there is room for.
extern "C" size_t plumbline_standin_said(char* text, size_t room) {
    std::string all = lines + "alive " + std::to_string(alive) + "\n";
    if (all.size() <= room) {
        memcpy(text, all.data(), all.size());
        lines.clear();
    }
    return all.size();
}

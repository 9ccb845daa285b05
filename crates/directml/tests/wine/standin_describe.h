// Reads descriptions of operators: part of standin.cpp.

struct Describer {
    Description description;
    std::string text;
    std::string why;

    HRESULT refuse(const std::string& reason) {
        if (why.empty()) why = reason;
        return E_INVALIDARG;
    }

    template <typename Number> std::string list(const Number* values, UINT count) {
        std::string out = "[";
        for (UINT i = 0; i < count; i++) out += (i ? "," : "") + std::to_string(values[i]);
        return out + "]";
    }

    static std::string number(float value) {
        char out[40];
        snprintf(out, sizeof out, "%g", value);
        return out;
    }

    static UINT element_bytes(DML_TENSOR_DATA_TYPE type) {
        switch (type) {
        case DML_TENSOR_DATA_TYPE_FLOAT32: case DML_TENSOR_DATA_TYPE_UINT32: case DML_TENSOR_DATA_TYPE_INT32: return 4;
        case DML_TENSOR_DATA_TYPE_FLOAT16: case DML_TENSOR_DATA_TYPE_UINT16: case DML_TENSOR_DATA_TYPE_INT16: return 2;
        case DML_TENSOR_DATA_TYPE_UINT8: case DML_TENSOR_DATA_TYPE_INT8: return 1;
        case DML_TENSOR_DATA_TYPE_FLOAT64: case DML_TENSOR_DATA_TYPE_UINT64: case DML_TENSOR_DATA_TYPE_INT64: return 8;
        default: return 0;
        }
    }

    // ` Name=type[sizes]/[strides]:bytes`, and what is wrong with it.
    void tensor(const char* name, const DML_TENSOR_DESC* desc, std::vector<Tensor>* bound, bool optional = false) {
        text += std::string(" ") + name + "=";
        Tensor seen;
        if (!desc) {
            text += "none";
            if (!optional) refuse(std::string(name) + " is missing");
            if (bound) bound->push_back(seen);
            return;
        }
        auto buffer = static_cast<const DML_BUFFER_TENSOR_DESC*>(desc->Desc);
        if (desc->Type != DML_TENSOR_TYPE_BUFFER || !buffer || buffer->DimensionCount < 1 || buffer->DimensionCount > 8) {
            refuse(std::string(name) + " is no buffer tensor");
            return;
        }
        UINT count = buffer->DimensionCount, bytes = element_bytes(buffer->DataType);
        text += std::to_string(buffer->DataType) + list(buffer->Sizes, count);
        UINT64 last = 0, packed = 1;
        for (UINT i = count; i-- > 0;) {
            if (buffer->Sizes[i] == 0) refuse(std::string(name) + " has a size of 0");
            UINT64 stride = buffer->Strides ? buffer->Strides[i] : packed;
            last += (buffer->Sizes[i] - 1) * stride;
            packed *= buffer->Sizes[i];
        }
        if (buffer->Strides) text += "/" + list(buffer->Strides, count);
        text += ":" + std::to_string(buffer->TotalTensorSizeInBytes);
        if (buffer->GuaranteedBaseOffsetAlignment) text += "@" + std::to_string(buffer->GuaranteedBaseOffsetAlignment);
        UINT64 least = ((last + 1) * bytes + 3) / 4 * 4;
        UINT alignment = buffer->GuaranteedBaseOffsetAlignment;
        if (bytes == 0) refuse(std::string(name) + " has an unknown type");
        if (buffer->TotalTensorSizeInBytes < least || buffer->TotalTensorSizeInBytes % 4)
            refuse(std::string(name) + " takes " + std::to_string(least) + " bytes at least");
        if (alignment & (alignment - 1)) refuse(std::string(name) + " has an alignment that is no power of two");
        seen = Tensor{buffer->TotalTensorSizeInBytes, alignment < 16 ? 16 : alignment, true};
        if (bound) bound->push_back(seen);
    }

    void in(const char* name, const DML_TENSOR_DESC* desc, bool optional = false) {
        tensor(name, desc, &description.inputs, optional);
    }
    void out(const char* name, const DML_TENSOR_DESC* desc) { tensor(name, desc, &description.outputs); }

    HRESULT read(const DML_OPERATOR_DESC* desc, bool fused = false) {
        if (!desc || !desc->Desc) return refuse("there is no description");
        const void* of = desc->Desc;
        switch (desc->Type) {
        case DML_OPERATOR_ELEMENT_WISE_IDENTITY: {
            auto d = static_cast<const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC*>(of);
            text += "IDENTITY";
            in("Input", d->InputTensor);
            out("Output", d->OutputTensor);
            if (d->ScaleBias) text += " ScaleBias=" + number(d->ScaleBias->Scale) + "," + number(d->ScaleBias->Bias);
            break;
        }
        case DML_OPERATOR_ELEMENT_WISE_ADD: {
            auto d = static_cast<const DML_ELEMENT_WISE_ADD_OPERATOR_DESC*>(of);
            text += "ADD";
            in("A", d->ATensor);
            in("B", d->BTensor);
            out("Output", d->OutputTensor);
            break;
        }
        case DML_OPERATOR_ACTIVATION_ELU: {
            auto d = static_cast<const DML_ACTIVATION_ELU_OPERATOR_DESC*>(of);
            text += "ELU Alpha=" + number(d->Alpha);
            if (!fused) {
                in("Input", d->InputTensor);
                out("Output", d->OutputTensor);
            } else if (d->InputTensor || d->OutputTensor) {
                refuse("a fused activation has tensors");
            }
            break;
        }
        case DML_OPERATOR_ACTIVATION_RELU: {  // Wants more memory than there is.
            auto d = static_cast<const DML_ACTIVATION_RELU_OPERATOR_DESC*>(of);
            text += "RELU";
            in("Input", d->InputTensor);
            out("Output", d->OutputTensor);
            description.temporary = TOO_MUCH;
            break;
        }
        case DML_OPERATOR_GEMM: {  // Works in memory of both kinds.
            auto d = static_cast<const DML_GEMM_OPERATOR_DESC*>(of);
            text += "GEMM";
            in("A", d->ATensor);
            in("B", d->BTensor);
            in("C", d->CTensor, true);
            out("Output", d->OutputTensor);
            text += " Trans=" + std::to_string(d->TransA) + std::to_string(d->TransB) + " Alpha=" + number(d->Alpha) +
                    " Beta=" + number(d->Beta) + " Fused=(";
            if (d->FusedActivation) read(d->FusedActivation, true);
            text += ")";
            description.temporary = TEMPORARY;
            description.persistent = PERSISTENT;
            break;
        }
        case DML_OPERATOR_JOIN: {
            auto d = static_cast<const DML_JOIN_OPERATOR_DESC*>(of);
            text += "JOIN";
            for (UINT i = 0; i < d->InputCount; i++) in("Input", &d->InputTensors[i]);
            out("Output", d->OutputTensor);
            text += " Axis=" + std::to_string(d->Axis);
            break;
        }
        case DML_OPERATOR_SLICE1: {
            auto d = static_cast<const DML_SLICE1_OPERATOR_DESC*>(of);
            text += "SLICE1";
            in("Input", d->InputTensor);
            out("Output", d->OutputTensor);
            text += " Offsets=" + list(d->InputWindowOffsets, d->DimensionCount) + " Sizes=" +
                    list(d->InputWindowSizes, d->DimensionCount) + " Strides=" + list(d->InputWindowStrides, d->DimensionCount);
            break;
        }
        case DML_OPERATOR_UPSAMPLE_2D: {
            auto d = static_cast<const DML_UPSAMPLE_2D_OPERATOR_DESC*>(of);
            text += "UPSAMPLE_2D";
            in("Input", d->InputTensor);
            out("Output", d->OutputTensor);
            text += " Scale=" + std::to_string(d->ScaleSize.Width) + "x" + std::to_string(d->ScaleSize.Height) +
                    " Mode=" + std::to_string(d->InterpolationMode);
            break;
        }
        case DML_OPERATOR_FILL_VALUE_CONSTANT: {
            auto d = static_cast<const DML_FILL_VALUE_CONSTANT_OPERATOR_DESC*>(of);
            text += "FILL";
            out("Output", d->OutputTensor);
            text += " Value=" + std::to_string(d->ValueDataType) + ":" + std::to_string(d->Value.Int64);
            break;
        }
        default:
            text += "operator " + std::to_string(desc->Type);
            why = "not supported";
            return DXGI_ERROR_UNSUPPORTED;
        }
        return why.empty() ? S_OK : E_INVALIDARG;
    }
};
